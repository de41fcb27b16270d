import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { product, projectDirectory, stop } from './project.ts';

const usage = `Usage: npm run package:msi -- FOLDER --arch x64|arm64 --output FILE

Makes the Windows installer for fleets (per machine, silent with msiexec /i FILE /qn) of a packaged folder, with wixl and msibuild (Debian's and
Ubuntu's packages wixl and msitools). The folder is what lies in Tillside-…-win-….zip.
`;

/** By it Windows Installer knows a newer version of this product, so it never changes. */
const upgradeCode = 'B3C6B6C4-1F0E-4C52-9B63-6E0B4B1C2A51';
type Architecture = 'x64' | 'arm64';

const program = 'Tillside.exe';

const notThisWindows =
  'Tillside needs Windows 10 or newer, 64 bit. Nothing was changed. / O Tillside precisa do Windows 10 ou mais novo, 64 bits. Nada foi alterado. / Tillside necesita Windows 10 o posterior, 64 bits. Nada ha cambiado.';
const notThisProcessor =
  'For another processor / Para outro processador / Para otro procesador: ARM = arm64.msi, Intel, AMD = x64.msi. Nothing was changed. / Nada foi alterado. / Nada ha cambiado.';

// Windows Installer calls every version since 8.1 the same; this value came with Windows 10.
const isWindows10 = 'Installed OR (VersionNT64 AND WINDOWSMAJOR)';
const isProcessor: Readonly<Record<Architecture, string>> = {
  // Windows 11 (build 22000) runs programs for x64 on ARM, Windows 10 does not.
  x64: 'Installed OR PROCESSOR <> "ARM64" OR WINDOWSBUILD >= 22000',
  arm64: 'Installed OR PROCESSOR = "ARM64"',
};

/**
 * Queries for all that wixl cannot express. Properties reach the part of the installer that has an administrator's
 * rights only when they are named. A Tillside that runs is ended before its files go, as a power cut would end it: what is in use would
 * be missing afterwards. And the entry for the start at sign-in, which the app makes for each user, goes for the user
 * who removes the package. Type 98: a program, whose failure does not matter.
 */
const queries = [
  "UPDATE `Property` SET `Value` = 'WIX_DOWNGRADE_DETECTED;WIX_UPGRADE_DETECTED;WINDOWSMAJOR;WINDOWSBUILD;PROCESSOR' WHERE `Property` = 'SecureCustomProperties'",
  `INSERT INTO \`CustomAction\` (\`Action\`, \`Type\`, \`Source\`, \`Target\`) VALUES ('endRunning', 98, 'ProgramFiles64Folder', '"[System64Folder]taskkill.exe" /f /im ${program}')`,
  "INSERT INTO `InstallExecuteSequence` (`Action`, `Condition`, `Sequence`) VALUES ('endRunning', 'Installed OR WIX_UPGRADE_DETECTED', 1390)",
  `INSERT INTO \`CustomAction\` (\`Action\`, \`Type\`, \`Source\`, \`Target\`) VALUES ('forgetStart', 98, 'ProgramFiles64Folder', '"[System64Folder]reg.exe" delete HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run /v electron.app.Tillside /f')`,
  "INSERT INTO `InstallExecuteSequence` (`Action`, `Condition`, `Sequence`) VALUES ('forgetStart', 'REMOVE=\"ALL\" AND NOT UPGRADINGPRODUCTCODE', 6650)",
];

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** The same for the same name, as Windows Installer wants it of a component. */
function guidOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex').toUpperCase();
  return [hex.slice(0, 8), hex.slice(8, 12), `5${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

interface Folder {
  readonly folders: Map<string, Folder>;
  readonly files: string[];
}

function treeOf(paths: readonly string[]): Folder {
  const root: Folder = { folders: new Map(), files: [] };
  for (const path of paths) {
    const parts = path.split('/');
    let folder = root;
    for (const name of parts.slice(0, -1)) {
      const inner = folder.folders.get(name) ?? { folders: new Map(), files: [] };
      folder.folders.set(name, inner);
      folder = inner;
    }
    folder.files.push(path);
  }
  return root;
}

const shortcuts = `
<Shortcut Id="menuShortcut" Directory="ProgramMenuFolder" Name="Tillside" WorkingDirectory="INSTALLDIR" Icon="icon.ico" Advertise="yes"/>
<Shortcut Id="desktopShortcut" Directory="DesktopFolder" Name="Tillside" WorkingDirectory="INSTALLDIR" Icon="icon.ico" Advertise="yes"/>
`;

export interface MsiOptions {
  /** Of the product: "1.2.3", and what follows is left out. */
  readonly version: string;
  readonly arch: Architecture;
}

/**
 * The project that wixl compiles (WiX 3, https://wixtoolset.org/docs/v3): all files, two shortcuts, the scheme
 * tillside://, and whom it refuses. `paths` are below the folder, with "/"; that lies beside the project as `app`, and
 * the icon as `icon.ico`.
 */
export function writeMsiProject(paths: readonly string[], { version, arch }: MsiOptions): string {
  const componentIds: string[] = [];
  const component = (name: string, content: string): string => {
    const id = `c${componentIds.length}`;
    componentIds.push(id);
    return `<Component Id="${id}" Guid="${guidOf(`${upgradeCode}/${name}`)}" Win64="yes">${content}</Component>`;
  };
  const fileOf = (path: string): string => {
    const inside = path === program ? shortcuts : '';
    const name = escape(path.split('/').at(-1) ?? '');
    const id = path === program ? 'program' : `f${componentIds.length}`;
    return component(
      path,
      `<File Id="${id}" Name="${name}" Source="app/${escape(path)}" KeyPath="yes">${inside}</File>`,
    );
  };
  let folders = 0;
  const contentOf = ({ folders: inner, files }: Folder): string =>
    [
      ...files.map(fileOf),
      ...[...inner].map(([name, folder]) => {
        folders += 1;
        return `<Directory Id="d${folders}" Name="${escape(name)}">${contentOf(folder)}</Directory>`;
      }),
    ].join('\n');
  const value = (key: string, name: string, text: string, isKeyPath = false): string =>
    `<RegistryValue Root="HKLM" Key="Software\\Classes\\tillside${key}" ${name === '' ? '' : `Name="${name}" `}Type="string" Value="${escape(text)}"${isKeyPath ? ' KeyPath="yes"' : ''}/>`;
  const scheme = component(
    'tillside:',
    [
      value('', '', 'URL:Tillside', true),
      value('', 'URL Protocol', ''),
      value('\\DefaultIcon', '', `"[INSTALLDIR]${program}",0`),
      // After "--" nothing in a link is taken for a flag.
      value('\\shell\\open\\command', '', `"[INSTALLDIR]${program}" -- "%1"`),
    ].join('\n'),
  );
  const search = (property: string, key: string, name: string): string =>
    `<Property Id="${property}"><RegistrySearch Id="${property.toLowerCase()}" Root="HKLM" Key="${key}" Name="${name}" Type="raw" Win64="yes"/></Property>`;
  const windows = 'SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion';
  const body = contentOf(treeOf(paths));
  return `<?xml version="1.0" encoding="utf-8"?>
<Wix xmlns="http://schemas.microsoft.com/wix/2006/wi">
<Product Id="*" Name="Tillside" UpgradeCode="${upgradeCode}" Version="${/^\d+\.\d+\.\d+/.exec(version)?.[0] ?? '0.0.0'}" Language="1033" Codepage="65001" Manufacturer="${escape(product.author.name)}">
<Package InstallerVersion="500" Compressed="yes" InstallScope="perMachine" Description="The stock companion beside the till" SummaryCodepage="65001"/>
<MajorUpgrade DowngradeErrorMessage="A newer version of Tillside is installed. Nothing was changed."/>
<Media Id="1" Cabinet="tillside.cab" EmbedCab="yes"/>
${search('WINDOWSMAJOR', windows, 'CurrentMajorVersionNumber')}
${search('WINDOWSBUILD', windows, 'CurrentBuildNumber')}
${search('PROCESSOR', 'SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Environment', 'PROCESSOR_ARCHITECTURE')}
<Condition Message="${escape(notThisWindows)}">${escape(isWindows10)}</Condition>
<Condition Message="${escape(notThisProcessor)}">${escape(isProcessor[arch])}</Condition>
<Icon Id="icon.ico" SourceFile="icon.ico"/>
<Property Id="ARPPRODUCTICON" Value="icon.ico"/>
<Property Id="ARPURLINFOABOUT" Value="${escape(product.homepage)}"/>
<Property Id="ARPHELPLINK" Value="${escape(product.bugs.url)}"/>
<Property Id="DISABLEADVTSHORTCUTS" Value="1"/>
<Directory Id="TARGETDIR" Name="SourceDir">
<Directory Id="ProgramMenuFolder"/>
<Directory Id="DesktopFolder"/>
<Directory Id="ProgramFiles64Folder"><Directory Id="INSTALLDIR" Name="Tillside">
${body}
${scheme}
</Directory></Directory>
</Directory>
<Feature Id="all" Level="1">
${componentIds.map((id) => `<ComponentRef Id="${id}"/>`).join('\n')}
</Feature>
</Product>
</Wix>
`;
}

function run(tool: string, parameters: readonly string[]): void {
  const { status, error } = spawnSync(tool, parameters, { stdio: 'inherit' });
  if (status !== 0) {
    throw new Error(error === undefined ? `${tool} failed` : `${tool} cannot be run: ${error.message}`);
  }
}

function main(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      arch: { type: 'string', default: '' },
      output: { type: 'string', default: '' },
      version: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const [folder = ''] = positionals;
  const { arch } = values;
  if (values.help || folder === '' || values.output === '' || (arch !== 'x64' && arch !== 'arm64')) {
    stop(usage);
  }
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, '/').length).replaceAll('\\', '/'))
    .toSorted();
  if (!paths.includes(program)) {
    stop(`${folder} holds no ${program}`);
  }
  const version = values.version ?? product.version;
  const workshop = mkdtempSync(join(tmpdir(), 'tillside-msi-'));
  try {
    const project = join(workshop, 'tillside.wxs');
    writeFileSync(project, writeMsiProject(paths, { version, arch }));
    // wixl looks for every file beside the project.
    symlinkSync(resolve(folder), join(workshop, 'app'));
    copyFileSync(join(projectDirectory, 'assets', 'icons', 'icon.ico'), join(workshop, 'icon.ico'));
    const output = resolve(values.output);
    // wixl knows x64 alone; such a package may hold a program for ARM, and its own condition keeps it there.
    run('wixl', ['--arch', 'x64', '--output', output, project]);
    for (const query of queries) {
      run('msibuild', [output, '-q', query]);
    }
  } finally {
    rmSync(workshop, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  main();
}
