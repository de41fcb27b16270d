// Workbooks made by hand, so that a test says what each of their parts holds.
import { strToU8, zipSync } from 'fflate';

const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';

/** A part of relations, each of a type and where it leads; their ids are rId1, rId2 and so on. */
export function relationsOf(...targets: readonly (readonly [type: string, target: string])[]): Uint8Array {
  const lines = targets.map(
    ([type, target], place) => `<Relationship Id="rId${place + 1}" Type="${relations}/${type}" Target="${target}"/>`,
  );
  return strToU8(`<Relationships xmlns="${packages}/relationships">${lines.join('')}</Relationships>`);
}

/** The sheet's rows, and parts beside the sheet or in the place of others. */
export function workbookOf(rows: string, parts: Readonly<Record<string, string | Uint8Array>> = {}): Uint8Array {
  const written = Object.entries(parts).map(
    ([path, part]) => [path, typeof part === 'string' ? strToU8(part) : part] as const,
  );
  return zipSync(
    {
      '[Content_Types].xml': strToU8(`<Types xmlns="${packages}/content-types"/>`),
      '_rels/.rels': relationsOf(['officeDocument', 'xl/workbook.xml']),
      'xl/workbook.xml': strToU8(
        `<workbook xmlns:r="${relations}"><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>`,
      ),
      'xl/_rels/workbook.xml.rels': relationsOf(
        ['worksheet', 'worksheets/sheet1.xml'],
        ...(parts['xl/sharedStrings.xml'] === undefined ? [] : [['sharedStrings', 'sharedStrings.xml'] as const]),
        ...(parts['xl/styles.xml'] === undefined ? [] : [['styles', 'styles.xml'] as const]),
      ),
      'xl/worksheets/sheet1.xml': strToU8(`<worksheet><sheetData>${rows}</sheetData></worksheet>`),
      ...Object.fromEntries(written),
    },
    { level: 1 },
  );
}
