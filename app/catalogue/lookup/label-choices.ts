// Which product a person chose for the labels of a scale's item, in queue.db: what was chosen by hand is precious, while
// the copy may begin anew at any time (decision 61). By the platform's own ids, for a stock of a company, as a minimum.
//
//   S1  A choice holds among the products that it was made among: with another one the label is asked about anew.
//   S2  It holds while its product is there and sold as it was then; else the label is asked about, and no other product
//       answers in its place.
//   S3  A newer choice takes the place of all older ones that the same label would find. Where the stocks of a profile
//       have different ones, none holds.
import { labelChoicesSchema, maxLabelChoices } from '../../contract/label-choices.ts';
import { parseId, type Id } from '../../domain/int64.ts';
import { parseJson } from '../../domain/json.ts';
import type { Database } from '../../storage/database.ts';

/** A scale's item, as a layout reads it. */
export interface LabelItem {
  readonly layout: string;
  readonly item: string;
}

export interface LabelChoice extends LabelItem {
  readonly productId: Id;
  /** The products that there were to choose from. */
  readonly among: readonly Id[];
  /** Whether its unit was one that such a label can mean. */
  readonly isOfUnit: boolean;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Who chose it. */
  readonly email: string;
}

/** Whose choices are meant. */
export interface ChoiceScope {
  readonly platform: string;
  readonly companyId: Id;
  readonly stockIds: readonly Id[];
}

export type LabelChoices = ReturnType<typeof openLabelChoices>;

interface ChoiceRow {
  readonly layout: string;
  readonly item: string;
  readonly productId: string;
  readonly among: string;
  readonly isOfUnit: number;
  readonly at: number;
  readonly email: string;
}

const keyOf = ({ layout, item }: LabelItem): string => `${layout} ${item}`;
const rowSchema = labelChoicesSchema.element.pick({ layout: true, item: true, at: true, email: true });

/** Null for what a failing disk has altered: then the label is asked about again. */
function choiceOf({ productId, among, isOfUnit, ...row }: ChoiceRow): LabelChoice | null {
  const id = parseId(productId);
  const listed: unknown = parseJson(among);
  const ids = Array.isArray(listed) ? listed.map((one) => (typeof one === 'string' ? parseId(one) : null)) : [null];
  return id === null || ids.includes(null) || !rowSchema.safeParse(row).success
    ? null
    : { ...row, productId: id, among: ids.filter((one) => one !== null), isOfUnit: isOfUnit === 1 };
}

/** Opens the choices of this scope over queue.db; they are read once. Throws StorageError. */
export function openLabelChoices(database: Database, { platform, companyId, stockIds }: ChoiceScope) {
  const ofStock = database.prepare<ChoiceRow>(
    `SELECT layout, item, product_id AS productId, among, is_of_unit AS isOfUnit, chosen_at AS at, email
     FROM label_choices WHERE platform = ? AND company_id = ? AND stock_id = ?`,
  );
  const put = database.prepare(
    'INSERT OR REPLACE INTO label_choices (platform, company_id, stock_id, layout, item, product_id, among, is_of_unit, chosen_at, email) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const remove = database.prepare(
    'DELETE FROM label_choices WHERE platform = ? AND company_id = ? AND stock_id = ? AND layout = ? AND item = ?',
  );
  let choices: readonly LabelChoice[] = [];

  function read(): void {
    const rows = stockIds.flatMap((stockId) => ofStock.all(platform, companyId, stockId));
    const sorted = rows.flatMap((row) => choiceOf(row) ?? []).toSorted((one, other) => other.at - one.at);
    const newest = Map.groupBy(sorted, (one) => `${one.productId} ${keyOf(one)}`).values();
    choices = [...newest].flatMap(([first]) => first ?? []);
  }
  read();

  /** One transaction, and then as the file has it. */
  function change(removed: readonly LabelItem[], added: LabelChoice | null): void {
    database.transaction(() => {
      for (const stockId of stockIds) {
        for (const { layout, item } of removed) {
          remove.run(platform, companyId, stockId, layout, item);
        }
        if (added !== null) {
          const { layout, item, productId, among, isOfUnit, at, email } = added;
          put.run(
            platform,
            companyId,
            stockId,
            layout,
            item,
            productId,
            JSON.stringify(among),
            isOfUnit ? 1 : 0,
            at,
            email,
          );
        }
      }
    });
    read();
  }

  return {
    /** The choices made for any of these, the newest first. Throws nothing. */
    find: (items: readonly LabelItem[]): readonly LabelChoice[] => {
      if (choices.length === 0) {
        return [];
      }
      const keys = new Set(items.map(keyOf));
      return choices.filter((choice) => keys.has(keyOf(choice)));
    },
    /** All of them, the newest first. Throws nothing. */
    list: (): readonly LabelChoice[] => choices,
    /** Keeps it in the place of what was chosen for any of these; the oldest goes when there are too many. Throws StorageError. */
    keep: (choice: LabelChoice, items: readonly LabelItem[]) => {
      const older = choices.filter((one) => keyOf(one) !== keyOf(choice)).slice(maxLabelChoices - 1);
      // mutant: an older choice for a scale's label stays beside the newer one (S3)
      change([...items, ...older], choice); // S3
    },
    /** Throws StorageError. */
    forget: (item: LabelItem) => change([item], null),
  };
}
