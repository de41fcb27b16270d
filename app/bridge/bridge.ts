// A bridge: API v3 over a shop's own database.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isOwnName, makeRoom, oneAtATime } from '../domain/loopback-server.ts';
import { prepareDataDirectory } from '../hosts/node/data-directory.ts';
import { StartError, type StartErrorReason } from '../hosts/node/start-error.ts';
import { answerJson, refuse } from '../service/answers.ts';
import { readRequest, sendAnswer, startListening, type WireAnswer } from '../service/http.ts';
import { describeInterface } from '../service/openapi/openapi.ts';
import { defaultReadings, type Readings } from '../service/readings.ts';
import { Service } from '../service/service.ts';
import { readOnlyFile } from '../storage/only-file.ts';
import { openOrReplace } from '../storage/recover.ts';
import { createAccounts } from './accounts.ts';
import { ConfigError, type Config } from './config.ts';
import { createBridgeCoupons } from './coupons.ts';
import { createHealth, type Log } from './health.ts';
import { isOfLedger } from './ledger/ledger.ts';
import { openOwnLedger } from './ledger/own-ledger.ts';
import { openSharedLedger } from './ledger/shared-ledger.ts';
import { snapshotMigrations } from './migrations.ts';
import { PassError, runPass } from './snapshot/pass-thread.ts';
import type { PassResult } from './snapshot/pass.ts';
import { createSnapshotSource } from './snapshot/source.ts';
import { isOpenToOthers } from './secrets.ts';
import { openSource } from './sources/open-source.ts';
import { reasonOf } from './reason.ts';

const deliverEveryMs = 5000;
const maxConnections = 500;
/** Milliseconds in which TLS, a head and a whole request must have come, and a connection has to move. */
const patience = {
  handshakeTimeout: 10_000,
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  connectionsCheckingInterval: 2000,
};
const restTimeoutMs = 60_000;
/** After so many passes that should have been, the source counts as down. */
const maxMissedPasses = 3;
/** Of bridges that share a ledger: a reading takes its time, longer at one than at another; their clocks differ. */
const minAgeMs = 600_000;
const maxSkewMs = 60_000;
const closeTimeoutMs = 5000;
const loopbackAddresses = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);
const messageOf = (error: unknown): string => reasonOf(error).slice(0, 500);

/** A running bridge. */
export type Bridge = Awaited<ReturnType<typeof startBridge>>;

/** Repeats the action so long after each end of it, until the ending; what it throws is told to `failed`. */
async function repeat(
  action: () => Promise<unknown>,
  everyMs: number,
  ending: AbortSignal,
  failed: (error: unknown) => void,
): Promise<void> {
  while (!ending.aborted) {
    await action().catch(failed);
    // Rejects at the ending.
    await delay(everyMs, null, { signal: ending }).catch(() => null);
  }
}

type Exchange = ReturnType<typeof oneAtATime<IncomingMessage, ServerResponse>>;

/** The parts of TLS as Node takes them. */
interface Certificate {
  readonly cert: Buffer;
  readonly key: Buffer;
}

function makeServer(
  certificate: Certificate | null,
  { listener, isBusy }: Exchange,
  log: Log,
  deadlines: typeof patience,
): Server {
  const server =
    certificate === null
      ? createServer(deadlines, listener)
      : createTlsServer({ ...deadlines, ...certificate }, listener);
  makeRoom(server, maxConnections, isBusy);
  server.setTimeout(restTimeoutMs);
  server.on('error', (error) => {
    log('error', 'listenFailed', { problem: messageOf(error) });
  });
  return server;
}

/** Answers a request with what `answer` finds; what it throws is a 500 and a line of the log. */
function exchangeWith(
  answer: (incoming: IncomingMessage) => Promise<WireAnswer>,
  { countAnswer, noteTrouble }: Pick<ReturnType<typeof createHealth>, 'countAnswer' | 'noteTrouble'>,
  log: Log,
): Exchange {
  return oneAtATime((incoming: IncomingMessage, response: ServerResponse) => {
    // A caller that hangs up is no error of ours.
    response.on('error', () => {});
    answer(incoming)
      .catch((error: unknown) => {
        if (response.socket?.destroyed !== false) {
          return refuse(400, 'bad_request', '');
        }
        if (isOfLedger(error)) {
          noteTrouble('ledger');
        }
        log('error', 'requestFailed', { path: (incoming.url ?? '').split('?')[0] ?? '', problem: messageOf(error) });
        return refuse(500, 'internal_server_error', 'O serviço não pôde responder. Tente novamente em instantes.');
      })
      .then((sent) => {
        countAnswer(sent.status);
        if (response.socket?.destroyed === false) {
          sendAnswer(response, sent);
        }
      })
      .catch((error: unknown) => {
        log('error', 'answerFailed', { problem: messageOf(error) });
        // Whoever waits for it would wait a minute.
        response.destroy();
      });
  });
}

/** Opens the ledger, and the copy in the bridge's own folder. Throws StorageError. */
async function openDatabases({ folder, ledger: address }: Config, now: number) {
  const ledger = address === undefined ? await openOwnLedger(folder, now) : openSharedLedger(address);
  // Where the copy is damaged, no reading would come to its end, or scans would be answered 500.
  const options = { kind: 'disposable', check: 'quick_check', migrations: snapshotMigrations } as const;
  const { database: snapshot, replaced } = await openOrReplace(join(folder, 'snapshot.db'), options, now);
  const close = async (): Promise<void> => {
    snapshot.close();
    await ledger.close();
  };
  return { ledger, snapshot, wasDamaged: replaced !== null, close };
}

/** Of this machine, by a name of its own: a page of a browser may come by another one (DNS rebinding). */
function isOfThisMachine({ socket, headers }: IncomingMessage): boolean {
  return loopbackAddresses.has(socket.remoteAddress ?? '') && isOwnName(headers.host, socket.localPort ?? 0);
}

const folderFaults: Partial<Record<StartErrorReason, string>> = {
  foreignFolder: 'belongs to another user of this machine',
  openFolder: 'holds something, and everybody could write there: look through it and run chmod 700 on it',
  openParent: 'is not there, and everybody could move it away: run chmod o-w on the folder around it',
  unclosedFolder: 'lies on a disk on which it cannot be closed to others',
  networkFolder: 'lies on a network drive',
};

/**
 * Closes the folder to others, and reads the certificate; null without one. Throws ConfigError for what somebody else may
 * have changed or read.
 */
function prepareFiles({ folder, listen: { tls } }: Config): Certificate | null {
  try {
    prepareDataDirectory(folder);
  } catch (error) {
    const fault = error instanceof StartError ? (folderFaults[error.reason] ?? error.reason) : messageOf(error);
    throw new ConfigError([`folder: ${folder} ${fault}`]);
  }
  if (tls === undefined) {
    return null;
  }
  const key = readOnlyFile(tls.key, (found) => {
    if (isOpenToOthers(found)) {
      throw new ConfigError([`listen.tls.key: others may read ${tls.key}; run chmod 600 on it`]);
    }
  });
  return { cert: readOnlyFile(tls.certificate), key };
}

/** How this bridge reads what the document leaves open. */
const readingsOf = ({ timeZone, requestsPerMinute }: Config): Readings => ({
  ...defaultReadings,
  timeZone: timeZone as Readings['timeZone'],
  requestsPerMinute,
  // Else each of them would take room for ever.
  keptRefusals: 'none',
  // The one that lists every barcode.
  elementShape: 'flat',
  listedFields: 'more',
});

const stateAnswer = (state: { readonly status: string }): WireAnswer =>
  answerJson(state.status === 'ok' ? 200 : 503, state);

/**
 * Starts a bridge. The source is read at once and then every so many seconds; before the first pass of all, stocks
 * answer 500. Throws ConfigError where the folder cannot be used or the key of the certificate is open to others, and the
 * system's error for a port that is taken or a certificate that cannot be read.
 */
export async function startBridge(config: Config, log: Log, now: () => number = Date.now, deadlines = patience) {
  const certificate = prepareFiles(config);
  const source = await openSource(config.source, config);
  const databases = await openDatabases(config, now());
  const { ledger } = databases;
  if (databases.wasDamaged) {
    log('warning', 'snapshotDamaged');
  }
  const stockNames = new Map(config.stocks.map((stock) => [stock.id, stock.source]));
  const missedMs = maxMissedPasses * config.source.everySeconds * 1000;
  const maxAgeMs = Math.max(missedMs, minAgeMs);
  const sharing = config.ledger === undefined ? null : { now, maxAgeMs, maxSkewMs };
  const products = createSnapshotSource(databases.snapshot, source, stockNames, sharing);
  const coupons = createBridgeCoupons(ledger, products, source.writeCoupon, (event, product) => {
    log(event === 'couponOtherwise' ? 'warning' : 'error', event, { product });
  });
  const readings = readingsOf(config);
  const accounts = createAccounts(config);
  const [{ id: companyId }] = accounts.companies();
  const shop = { accounts, source: products, coupons, ledger };
  const service = new Service(shop, () => readings, now);
  const health = createHealth(now, missedMs);
  let address = '';

  const answerOwn = async (target: string, isLocal: boolean): Promise<WireAnswer | null> => {
    switch (target) {
      case '/health':
        return stateAnswer(health.read(products.readAt(), products.isTooOld()));
      case '/ready':
        return stateAnswer(health.readReady(products.readAt(), products.isTooOld()));
      case '/metrics':
        // Through a proxy everybody comes from here.
        if (!isLocal || config.listen.isBehindProxy) {
          return null;
        }
        return {
          status: 200,
          headers: { 'content-type': 'text/plain; version=0.0.4' },
          body: health.figures(products.readAt(), await ledger.countPending().catch(() => Number.NaN)),
        };
      case '/openapi.json':
        return answerJson(200, describeInterface(address));
      default:
        return null;
    }
  };
  const answer = async (incoming: IncomingMessage): Promise<WireAnswer> => {
    const request = await readRequest(incoming);
    const own = request.method === 'GET' ? await answerOwn(request.target, isOfThisMachine(incoming)) : null;
    return own ?? service.answer(await service.identify(request));
  };
  const exchange = exchangeWith(answer, health, log);
  const server = makeServer(certificate, exchange, log, deadlines);
  const port = await startListening(server, config.listen).catch(async (error: unknown) => {
    await databases.close();
    throw error;
  });
  const { host, tls } = config.listen;
  address = `${tls === undefined ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}`;

  const ending = new AbortController();
  const pass = async (): Promise<PassResult> => {
    const startedAt = now();
    const readBefore = products.readAt();
    const believe = readBefore === null ? null : await coupons.beforePass(companyId);
    const { folder, source: settings, ledger: shared, timeZone, stocks } = config;
    const workerData = { folder, source: settings, ledger: shared, timeZone, stocks, beganAt: startedAt };
    const result = await runPass(workerData, now, ending.signal);
    // Each reading has a moment of its own. Tills are answered from the file that was opened at the start, whatever lies there.
    if (products.readAt() === readBefore) {
      throw new PassError('snapshot.db is not the file any more that this bridge has begun with: restart it');
    }
    believe?.();
    health.notePass(startedAt, result);
    log(result.unreadable === 0 ? 'info' : 'warning', 'sourceRead', { ...result, tookMs: now() - startedAt });
    return result;
  };
  let passing: Promise<PassResult> | null = null;
  const update = (): Promise<PassResult> =>
    (passing ??= pass().finally(() => {
      passing = null;
    }));
  const deliver = async (): Promise<void> => {
    await coupons.deliver(ending.signal);
    health.noteDelivery();
  };
  const updating = repeat(update, config.source.everySeconds * 1000, ending.signal, (error) => {
    if (ending.signal.aborted) {
      return;
    }
    health.noteTrouble(isOfLedger(error) ? 'ledger' : 'source');
    log('error', 'sourceFailed', { problem: messageOf(error) });
  });
  const delivering = repeat(deliver, deliverEveryMs, ending.signal, (error) => {
    const what = isOfLedger(error) ? 'ledger' : 'coupons';
    health.noteTrouble(what);
    log('error', `${what}Failed`, { problem: messageOf(error) });
  });
  log('info', 'started', { address });

  let closing: Promise<void> | null = null;
  const close = async (): Promise<void> => {
    ending.abort();
    server.close();
    setTimeout(() => {
      server.closeAllConnections();
    }, closeTimeoutMs).unref();
    await once(server, 'close');
    await Promise.all([updating, delivering]);
    await passing?.catch(() => undefined);
    await source.close();
    await databases.close();
    log('info', 'ended');
  };
  return {
    address /** Reads the source, or waits for the pass that is under way. Throws what the source throws. */,
    update /** Writes waiting coupons to the source now. Throws what the source throws. */,
    deliver /** Answers what was begun, then closes everything. */,
    close: (): Promise<void> => (closing ??= close()),
  };
}
