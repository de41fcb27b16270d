import Conf from 'conf';
import { keepStore, type JsonFile, type JsonFileOptions } from '../../app/hosts/node/settings-file.ts';

/** Opens the settings by conf, as the built app does in Electron. */
export function openConf({ cwd, name }: JsonFileOptions): JsonFile {
  return keepStore(new Conf<Record<string, unknown>>({ cwd, configName: name, accessPropertiesByDotNotation: false }));
}
