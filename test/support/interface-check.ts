// The judgement of one HTTP exchange by the description of the interface (OpenAPI 3.1): ajv judges the schemas, this
// file finds the operation, its parameters and its answer. Never sends anything, and knows no rule that the description
// does not hold, except the two headers of API v3 §1, which OpenAPI does not let it describe as parameters.
import { Ajv2020 } from 'ajv/dist/2020.js';

export interface SeenRequest {
  readonly method: string;
  /** The whole address. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

interface SeenAnswer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: string;
}

interface InterfaceCheck {
  /** The faults of a request; empty when there are none. */
  request(request: SeenRequest): string[];
  /** The faults of the answer to a request; empty when there are none. */
  answer(request: SeenRequest, answer: SeenAnswer): string[];
  /** The operations that were judged so far, by `operationId`. */
  readonly met: ReadonlySet<string>;
}

type Part = Readonly<Record<string, unknown>>;

interface Operation {
  readonly part: Part;
  readonly pointer: string;
  readonly pathValues: Readonly<Record<string, string>>;
}

const escape = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');
const isPart = (value: unknown): value is Part => typeof value === 'object' && value !== null;

/** Text as the schema's type means it; the text itself where it is no such thing, for ajv to refuse. */
function toValue(text: string, type: unknown): unknown {
  if ((type === 'integer' || type === 'number') && /^-?\d+(\.\d+)?$/.test(text)) {
    return Number(text);
  }
  return type === 'boolean' && (text === 'true' || text === 'false') ? text === 'true' : text;
}

function parse(text: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return null;
  }
}

/** Reads the description once for all that judge by it, for each schema costs a while; throws when ajv cannot make sense of it. */
export function readDescription(document: Part) {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  ajv.addFormat('int64', { type: 'number', validate: Number.isInteger });
  ajv.addSchema(document, 'interface');

  const resolve = (pointer: string): { readonly part: Part; readonly pointer: string } => {
    const keys = pointer
      .split('/')
      .slice(1)
      .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
    const part = keys.reduce<unknown>((at, key) => (isPart(at) ? at[key] : undefined), document);
    if (!isPart(part)) {
      throw new Error(`the description has nothing at ${pointer}`);
    }
    return typeof part['$ref'] === 'string' ? resolve(part['$ref'].slice(1)) : { part, pointer };
  };

  const judge = (pointer: string, value: unknown, what: string): string[] => {
    const validate = ajv.getSchema(`interface#${encodeURI(pointer)}`);
    if (validate === undefined) {
      throw new Error(`no schema at ${pointer}`);
    }
    return validate(value) === true ? [] : [`${what}: ${ajv.errorsText(validate.errors)}`];
  };

  const operationOf = (method: string, url: string): Operation | null => {
    const { pathname } = new URL(url);
    for (const [template, methods] of Object.entries(document['paths'] as Record<string, Part>)) {
      const names = [...template.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
      const values = new RegExp(`^${template.replaceAll(/\{\w+\}/g, '([^/]+)')}$`).exec(pathname);
      const part = methods[method.toLowerCase()];
      if (values !== null && isPart(part)) {
        const pathValues = Object.fromEntries(
          names.map((name, place) => [name, decodeURIComponent(values[place + 1] ?? '')]),
        );
        return { part, pointer: `/paths/${escape(template)}/${method.toLowerCase()}`, pathValues };
      }
    }
    return null;
  };

  return { resolve, judge, operationOf };
}

type Description = ReturnType<typeof readDescription>;

function judgeParameters(
  { resolve, judge }: Description,
  { part, pointer, pathValues }: Operation,
  request: SeenRequest,
): string[] {
  const query = new URL(request.url).searchParams;
  const listed = (part['parameters'] ?? []) as readonly Part[];
  const parameters = listed.map((_parameter, place) => resolve(`${pointer}/parameters/${place}`));
  const known = new Set(
    parameters.filter((parameter) => parameter.part['in'] === 'query').map((parameter) => parameter.part['name']),
  );
  const unknown = [...query.keys()].filter((name) => !known.has(name)).map((name) => `query ${name} is not described`);
  const wrong = parameters.flatMap((parameter) => {
    const name = String(parameter.part['name']);
    const given = {
      query: () => query.get(name),
      header: () => request.headers[name.toLowerCase()] ?? null,
      path: () => pathValues[name] ?? null,
    };
    const text = given[parameter.part['in'] as keyof typeof given]();
    if (text === null) {
      return parameter.part['required'] === true ? [`${name} is missing`] : [];
    }
    return judge(`${parameter.pointer}/schema`, toValue(text, (parameter.part['schema'] as Part)['type']), name);
  });
  return [...unknown, ...wrong];
}

function judgeBody({ judge }: Description, { part, pointer }: Operation, body: string): string[] {
  if (part['requestBody'] === undefined) {
    return body === '' ? [] : ['a body is not described'];
  }
  if (body === '') {
    return (part['requestBody'] as Part)['required'] === true ? ['the body is missing'] : [];
  }
  const document_ = parse(body);
  return document_ === null
    ? ['the body is no JSON']
    : judge(`${pointer}/requestBody/content/application~1json/schema`, document_.value, 'body');
}

/** Judges requests and answers by the description. */
export function createInterfaceCheck(description: Description): InterfaceCheck {
  const { resolve, judge, operationOf } = description;
  const met = new Set<string>();

  return {
    met,
    request: (request) => {
      const operation = operationOf(request.method, request.url);
      if (operation === null) {
        return [`${request.method} ${new URL(request.url).pathname} is not described`];
      }
      const isOpen = Array.isArray(operation.part['security']) && operation.part['security'].length === 0;
      return [
        ...['content-type', 'accept']
          .filter((name) => request.headers[name] !== 'application/json')
          .map((name) => `${name} is not application/json`),
        ...(isOpen || /^Bearer \S+$/.test(request.headers['authorization'] ?? '') ? [] : ['authorization is missing']),
        ...judgeParameters(description, operation, request),
        ...judgeBody(description, operation, request.body),
      ];
    },
    answer: (request, answer) => {
      const operation = operationOf(request.method, request.url);
      if (operation === null) {
        // An operation that is not described must be refused.
        return answer.status >= 400 ? [] : [`an operation that is not described was answered ${answer.status}`];
      }
      met.add(String(operation.part['operationId']));
      const responses = operation.part['responses'] as Part;
      const status = String(answer.status) in responses ? String(answer.status) : 'default';
      if (status === 'default' && answer.status < 400) {
        return [`status ${answer.status} is not described`];
      }
      const described = resolve(`${operation.pointer}/responses/${status}`);
      const headers = Object.keys((described.part['headers'] ?? {}) as Part).flatMap((name) => {
        const header = resolve(`${described.pointer}/headers/${escape(name)}`);
        const text = answer.headers.get(name.toLowerCase());
        if (text === null) {
          return header.part['required'] === true ? [`the answer lacks ${name}`] : [];
        }
        return judge(`${header.pointer}/schema`, text, name);
      });
      if (described.part['content'] === undefined) {
        return answer.status === 204 && answer.body !== '' ? [...headers, 'an answer 204 has a body'] : headers;
      }
      const body = parse(answer.body);
      if (body === null || !(answer.headers.get('content-type') ?? '').startsWith('application/json')) {
        return [...headers, `the answer ${answer.status} is no JSON`];
      }
      return [
        ...headers,
        ...judge(`${described.pointer}/content/application~1json/schema`, body.value, `answer ${answer.status}`),
      ];
    },
  };
}
