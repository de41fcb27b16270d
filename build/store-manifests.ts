import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { product, stop } from './project.ts';

const usage = `Usage: npm run store-manifests -- FOLDER --url URL --output FOLDER

Writes the manifests for winget (https://learn.microsoft.com/windows/package-manager) and the cask for Homebrew (https://docs.brew.sh/Cask-Cookbook)
of the installers in a release's folder, which can be fetched below URL. A person hands them in.
`;

const identifier = 'Tillside.Tillside';
const description = 'The stock companion beside the till';

export interface StoreRelease {
  readonly version: string;
  /** Below which the files can be fetched. */
  readonly url: string;
  /** The SHA-256 of a file, in hexadecimal. Throws for one that is not there. */
  readonly digestOf: (name: string) => string;
}

const architectures = ['x64', 'arm64'] as const;

function wingetInstallers({ version, url, digestOf }: StoreRelease): string {
  const installer = (arch: string, kind: 'exe' | 'msi'): string => {
    const name = `Tillside-${version}-win-${arch}.${kind}`;
    return [
      `- Architecture: ${arch}`,
      `  InstallerType: ${kind === 'exe' ? 'nullsoft' : 'msi'}`,
      `  Scope: ${kind === 'exe' ? 'user' : 'machine'}`,
      `  InstallerUrl: ${url}/${name}`,
      `  InstallerSha256: ${digestOf(name).toUpperCase()}`,
      ...(kind === 'exe' ? ['  InstallerSwitches:', '    Custom: /currentuser'] : []),
    ].join('\n');
  };
  return architectures.flatMap((arch) => [installer(arch, 'exe'), installer(arch, 'msi')]).join('\n');
}

/** The texts of all manifests, by the names of their files. Throws where an installer is missing. */
export function writeManifests(release: StoreRelease): Readonly<Record<string, string>> {
  const { version, url, digestOf } = release;
  const { author, homepage, bugs } = product;
  const winget = (kind: string, body: string): string =>
    `PackageIdentifier: ${identifier}\nPackageVersion: ${version}\n${body}\nManifestType: ${kind}\nManifestVersion: 1.10.0\n`;
  const dmg = (arch: string): string => digestOf(`Tillside-${version}-mac-${arch}.dmg`);
  return {
    [`${identifier}.yaml`]: winget('version', 'DefaultLocale: en-US'),
    [`${identifier}.installer.yaml`]: winget(
      'installer',
      `Platform:\n- Windows.Desktop\nMinimumOSVersion: 10.0.10240.0\nUpgradeBehavior: install\nProtocols:\n- tillside\nInstallers:\n${wingetInstallers(release)}`,
    ),
    [`${identifier}.locale.en-US.yaml`]: winget(
      'defaultLocale',
      `PackageLocale: en-US\nPublisher: ${author.name}\nPublisherUrl: ${homepage}\nPublisherSupportUrl: ${bugs.url}\nPackageName: Tillside\nPackageUrl: ${homepage}\nLicense: MIT\nShortDescription: ${description}`,
    ),
    'tillside.rb': `cask "tillside" do
  arch arm: "arm64", intel: "x64"

  version "${version}"
  sha256 arm:   "${dmg('arm64')}",
         intel: "${dmg('x64')}"

  url "${url.replaceAll(version, '#{version}')}/Tillside-#{version}-mac-#{arch}.dmg"
  name "Tillside"
  desc "Stock companion beside the till"
  homepage "${homepage}"

  auto_updates true

  app "Tillside.app"

  # Nothing is zapped: changes that have not been sent yet lie in the data folder.
  uninstall quit:       "app.tillside",
            login_item: "Tillside"
end
`,
  };
}

function main(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      url: { type: 'string', default: '' },
      output: { type: 'string', default: '' },
      help: { type: 'boolean', default: false },
    },
  });
  const [folder = ''] = positionals;
  const { url, output } = values;
  if (values.help || folder === '' || output === '' || !/^https:\/\/[^\s"]+$/.test(url)) {
    stop(usage);
  }
  const manifests = writeManifests({
    version: product.version,
    url: url.replace(/\/+$/, ''),
    digestOf: (name) => {
      const path = join(folder, name);
      return existsSync(path)
        ? createHash('sha256').update(readFileSync(path)).digest('hex')
        : stop(`${folder} holds no ${name}`);
    },
  });
  mkdirSync(output, { recursive: true });
  for (const [name, text] of Object.entries(manifests)) {
    writeFileSync(join(output, name), text);
  }
}

if (import.meta.main) {
  main();
}
