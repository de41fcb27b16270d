// A process that opens the settings in a folder, to which another program then does something: the file is removed, or
// holds the given text. Says what it reads of them, and whether the next choice is kept.
import { rmSync, writeFileSync } from 'node:fs';
import { openJsonFile, openSettings } from '../../app/hosts/node/settings-file.ts';
import { openConf } from './open-conf.ts';

const [, , folder = '', kind = '', text] = process.argv;
const path = `${folder}/settings.json`;
const { settingsFile, jsonFile } = openSettings(folder, 0, kind === 'conf' ? openConf : openJsonFile);
jsonFile.set('device', { isKiosk: true });
settingsFile.write({ theme: 'light' });
if (text === undefined) {
  rmSync(path);
} else {
  writeFileSync(path, text);
}
const read = [jsonFile.get('device'), settingsFile.read()];
process.stdout.write(JSON.stringify([...read, settingsFile.write({ theme: 'dark' }).ok]));
