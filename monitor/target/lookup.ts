import dns, { type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import os from 'node:os';
import { candidatesFor, following, namesIn, searchListIn } from './name-files.ts';

/** Where names are looked up; tests replace these. */
export interface LookupOptions {
  readonly hosts?: string;
  readonly resolvConf?: string;
  /** Name servers to use instead of the machine's. */
  readonly servers?: readonly string[];
  /** The machine's own resolver. */
  readonly system?: (name: string) => Promise<LookupAddress[]>;
}

/**
 * Looks names up so that a stalled name does not delay others. Node's own lookup uses four threads, of which two
 * may resolve names: two stalled names stop all others. DNS requests here need no thread. Names in the hosts file,
 * and names unknown to DNS, go to the machine's own resolver, which has further sources (mDNS, LDAP); at most two
 * of them block a thread. Nothing is cached: a DNS change takes effect at once.
 */
export function machineLookup(options: LookupOptions = {}): LookupFunction {
  const addressesOf = addressesBy(options);
  return (name, { all, family }, done) => {
    addressesOf(name).then(
      (found) => {
        const fitting = found.filter((one) => !family || one.family === familyOf(family));
        const [first] = fitting;
        if (first === undefined) done(lookupError('ENOTFOUND', name), '');
        else if (all === true) done(null, fitting);
        else done(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => done(error, ''),
    );
  };
}

/** Used by all targets. Other systems keep these files elsewhere, so Node's own lookup is used there. */
export const looking: { readonly lookup?: LookupFunction } =
  process.platform === 'linux' ? { lookup: machineLookup() } : {};

const familyOf = (family: number | string): number => Number(String(family).replace('IPv', ''));

/** @returns the addresses of a name; rejects with the codes of `getaddrinfo` */
function addressesBy(options: LookupOptions): (name: string) => Promise<LookupAddress[]> {
  const { servers, resolvConf = '/etc/resolv.conf', hosts = '/etc/hosts' } = options;
  const { system = (name: string) => dns.promises.lookup(name, { all: true }) } = options;
  const hostNames = following(hosts, namesIn);
  const resolving = following(resolvConf, (text) => {
    const resolver = new dns.promises.Resolver();
    if (servers !== undefined) resolver.setServers(servers);
    return { resolver, searchList: searchListIn(text) };
  });
  const fromHosts = oneAtATime(system);
  const fromElsewhere = oneAtATime(system);

  return async (name) => {
    const plain = name.toLowerCase().replace(/\.$/, '');
    if (hostNames().has(plain) || /(^|\.)localhost$/.test(plain)) return fromHosts(name);
    if (plain.endsWith('.local')) return fromElsewhere(name);
    const { resolver, searchList } = resolving();
    let isUncertain = false;
    let isSearching = true;
    for (const candidate of candidatesFor(name, searchList)) {
      if (!isSearching && candidate !== name) continue;
      const { found, codes } = await resolveBoth(resolver, candidate);
      if (found.length > 0) return found;
      if (codes.includes('ECONNREFUSED')) break;
      isUncertain ||= !codes.every(isAbsent);
      // Like the machine's own resolver: after any other error only the name itself is looked up.
      isSearching &&= codes.every((code) => isAbsent(code) || code === 'ESERVFAIL');
    }
    if (isUncertain) throw lookupError('EAI_AGAIN', name);
    return fromElsewhere(name);
  };
}

const isAbsent = (code: string): boolean => code === 'ENOTFOUND' || code === 'ENODATA';

/** Requests IPv4 and IPv6 addresses concurrently. */
async function resolveBoth(resolver: dns.promises.Resolver, name: string) {
  const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const settled = [four, six] as const;
  const lists = settled.map((one, index): LookupAddress[] =>
    one.status === 'rejected'
      ? []
      : one.value.map((address) => ({ address, family: index === 0 ? 4 : 6 })),
  );
  const codes = settled.flatMap((one) => (one.status === 'rejected' ? [codeOf(one.reason)] : []));
  const [ipv4 = [], ipv6 = []] = lists;
  return { found: ipv6.length > 0 && hasIpv6() ? [...ipv6, ...ipv4] : [...ipv4, ...ipv6], codes };
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

/** Whether this machine has a global IPv6 address (2000::/3). If it has, IPv6 addresses come first. */
const hasIpv6 = (): boolean =>
  Object.values(os.networkInterfaces()).some((addresses) =>
    addresses?.some(({ family, address }) => family === 'IPv6' && /^[23]/.test(address)),
  );

function lookupError(code: string, hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`getaddrinfo ${code} ${hostname}`), { code, hostname });
}

/** Runs one lookup at a time, so that it blocks at most one thread. Concurrent lookups of the same name share one. */
function oneAtATime(
  lookup: (name: string) => Promise<LookupAddress[]>,
): (name: string) => Promise<LookupAddress[]> {
  const underWay = new Map<string, Promise<LookupAddress[]>>();
  let last: Promise<unknown> = Promise.resolve();
  return (name) => {
    const shared = underWay.get(name);
    if (shared !== undefined) return shared;
    const found = last.then(() => lookup(name)).finally(() => underWay.delete(name));
    underWay.set(name, found);
    last = found.catch(() => {});
    return found;
  };
}
