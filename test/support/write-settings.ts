// A process that writes so many letters into the two kinds of files that hold choices, in a folder; says what came of it.
// The settings are written by conf, as in the built app, or as by the browser host.
import { z } from 'zod';
import { openKeptJson } from '../../app/hosts/node/kept-json.ts';
import { openJsonFile, openSettings } from '../../app/hosts/node/settings-file.ts';
import { openConf } from './open-conf.ts';

const [, , folder = '', letters = '', kind = ''] = process.argv;
const text = 'x'.repeat(Number(letters));
const { settingsFile } = openSettings(folder, 0, kind === 'conf' ? openConf : openJsonFile);
const kept = openKeptJson(`${folder}/kept.json`, z.object({ text: z.string() }).catch({ text: '' }), 1_000_000);
process.stdout.write(JSON.stringify([settingsFile.write({ text }).ok, kept.change({ text })]));
