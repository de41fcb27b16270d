import type { Id } from '../../app/domain/int64.ts';
import type { HubDocument } from '../../app/hub/document.ts';
import { createSealedDocument } from '../../app/hub/sealed-document.ts';
import { createSharedTexts } from '../../app/hub/shared-texts.ts';
import type { HubShop } from './hub-shop.ts';
import { hubAddress } from './hub-register.ts';
import { createSeededRandom } from './seeded-random.ts';

interface Told {
  readonly productId: Id;
  readonly isEnabled: boolean;
}

/** Whoever has the shop's key and a sign-in at its hub, and follows no rule there. */
export async function stealTill(
  { clock, register }: Pick<HubShop, 'clock' | 'register'>,
  place: { platformUrl: string; companyId: Id },
) {
  const link = register.open(hubAddress);
  const key = Buffer.from(hubAddress.storeKey, 'base64url');
  const random = createSeededRandom('thief');
  const sealed = createSealedDocument({ random, link, account: place.platformUrl, key });

  async function read() {
    const found = await sealed.read();
    if (!found.ok || found.value.document === null || found.value.document === 'unreadable') {
      throw new Error(`nothing to spoil: ${JSON.stringify(found)}`);
    }
    return { reading: found.value.reading, document: found.value.document };
  }

  const { epoch, loMs, hiMs } = (await read()).document;
  const sinceMs = clock.uptimeMs();
  const nowMs = (): number => hiMs + clock.uptimeMs() - sinceMs;
  return {
    read: async (): Promise<HubDocument> => (await read()).document,
    spoil: async (change: (document: HubDocument) => HubDocument): Promise<unknown> => {
      const { reading, document } = await read();
      return sealed.write(reading, change(document));
    },
    /** As the till of this id: what waits at it, and what it has delivered just now. */
    claim: (id: string, waiting: readonly Told[], delivered: readonly Told[]): Promise<boolean> => {
      const texts = createSharedTexts({ clock, random, link, key, id, time: () => ({ epoch, loMs, hiMs: nowMs() }) });
      const text = JSON.stringify({
        format: 1,
        till: id,
        waiting: waiting.map((one) => ({ ...one, isParked: false })),
        delivered: delivered.map((one) => ({ ...one, atMs: nowMs() })),
      });
      return texts.publish(`${place.platformUrl} ${place.companyId} coupons`, { text, atMs: nowMs() }, 'replaces');
    },
  };
}
