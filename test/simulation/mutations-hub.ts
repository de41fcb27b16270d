import type { Mutation } from './mutation.ts';

const document = 'app/hub/document.ts';
const member = 'app/hub/member.ts';
const allowance = 'app/hub/allowance.ts';

const planted: readonly Omit<Mutation, 'world'>[] = [
  {
    name: 'nothing is kept for who is cut off (H1)',
    file: document,
    find: '? Math.max(rights, member.share) : rights;',
    replace: '? rights : rights;',
    rules: ['H1'],
  },
  {
    name: 'all shares rise at once (H1)',
    file: document,
    find: 'Math.min(Math.floor(wholeLimit / (others.length + 1)), shareLeft)',
    replace: 'Math.min(Math.floor(wholeLimit / (others.length + 1)), shareLeft + wholeLimit)',
    rules: ['H1'],
  },
  {
    name: 'what is held and does not count is free (H1)',
    file: document,
    find: 'const idle = heldByOthers + needed - usedOf(heldByAll);',
    replace: 'const idle = 0 * (heldByOthers + needed);',
    rules: ['H1'],
  },
  {
    name: 'the share is lowered after the write (H2)',
    file: allowance,
    find: '      share = Math.min(share, plan.share);\n      keep();',
    replace: '      keep();',
    rules: ['H1'],
  },
  {
    name: 'what was lent is over at once when nobody says so (H3)',
    file: document,
    find: 'return loMs - member.writtenLoMs > reclaimAfterMs;',
    replace: 'return loMs - member.writtenLoMs > silentAfterMs;',
    rules: ['H1'],
  },
  {
    name: 'a ticket lasts for ever (H4)',
    file: 'app/hub/lent-turns.ts',
    find: '|| ticket === null || nowMs - ticket.askedMs > ticketLastsMs',
    replace: '|| ticket === null',
    rules: ['H1'],
  },
  {
    name: 'a granted slot may leave at any time (H4)',
    file: 'app/rate-limit/slots.ts',
    find: 'if (nowMs > slot.leavesByMs) {',
    replace: 'if (nowMs > slot.leavesByMs + 86_400_000) {',
    rules: ['H1'],
  },
  {
    name: "the hub's time is its server's clock (H5)",
    file: document,
    find: 'Math.min(document.loMs + serverPassedMs, base.loMs + passedMs)',
    replace: 'document.loMs + serverPassedMs',
    rules: ['H1'],
  },
  {
    name: 'a clock that was set back hides who is silent (H5)',
    file: document,
    find: 'document.hiMs + Math.max(0, serverPassedMs), base.hiMs + passedMs);',
    replace: 'document.hiMs + Math.max(0, serverPassedMs));',
    rules: ['H1'],
  },
  {
    name: 'who is cut off uses its share at once (H6)',
    file: member,
    find: 'nowMs - exchange.heardMs() > growAfterMs;',
    replace: 'nowMs - exchange.heardMs() > 30_000;',
    rules: ['H1'],
  },
  {
    name: 'an answer that was not believed counts as heard (H6)',
    file: document,
    find: 'return now.hiMs - member.heardHiMs > silentAfterMs',
    replace: 'return now.hiMs - member.writtenHiMs > silentAfterMs',
    rules: ['H1'],
  },
  {
    name: 'the share is used while it is given back (H7)',
    file: member,
    find: 'isCutOff(nowMs) && !isAsking)',
    replace: 'isCutOff(nowMs))',
    rules: ['H1'],
  },
  {
    name: 'a loss is not noticed (H8)',
    file: document,
    find: 'return read.epoch === document.epoch && (',
    replace: 'return read.epoch === document.epoch || (',
    rules: ['H1'],
  },
  {
    name: 'after a loss it is lent at once (H8)',
    file: document,
    find: 'lendsFromMs: base.loMs + growAfterMs,',
    replace: 'lendsFromMs: base.lendsFromMs,',
    rules: ['H1'],
  },
  {
    name: 'the share is not on the disk (H10)',
    file: allowance,
    find: '      share = Math.min(share, plan.share);\n      keep();',
    replace: '      share = Math.min(share, plan.share);',
    rules: ['H1'],
  },
  {
    name: 'a slot is not on the disk when its request leaves (H10)',
    file: 'app/rate-limit/slots.ts',
    find: 'slot.id = log.take(slot.lane, nowMs); // B2',
    replace: 'slot.id = 1;',
    rules: ['H1'],
  },
  {
    name: 'the quickest takes the turn (H11)',
    file: document,
    find: 'next?.id === id && isSettled',
    replace: 'next !== undefined && wants.some(({ lane }) => lane === next.lane) && isSettled',
    rules: ['H11'],
  },
  {
    name: 'who holds most goes first (H11)',
    file: document,
    find: ': left.held - right.held;',
    replace: ': right.held - left.held;',
    rules: ['H11'],
  },
  {
    name: 'a 429 is for one terminal alone (H12)',
    file: 'app/hub/shared-refusal.ts',
    find: 'if (refusal === null || refusal.count <= known) {',
    replace: 'if (refusal === null || refusal.count > 0) {',
    rules: ['H12'],
  },
];

export const hubMutations: readonly Mutation[] = planted.map((mutation) => ({ ...mutation, world: 'hub' }));
