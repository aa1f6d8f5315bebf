import { leftOpen, mustHold } from '../contract/clauses.ts';
import type { Probe } from '../contract/probe.ts';
import * as afterTheEnd from './after-the-end.ts';
import * as bearer from './bearer.ts';
import * as dates from './dates.ts';
import * as end from './end.ts';
import * as error from './error.ts';
import * as openFacts from './open-facts.ts';
import * as ownEnd from './own-end.ts';
import * as token from './token.ts';
import * as waysIn from './ways-in.ts';

const files = [token, bearer, waysIn, error, ownEnd, end, afterTheEnd, dates, openFacts];
const order: readonly string[] = [...mustHold, ...leftOpen].map(({ id }) => id);
const rank = ({ clauses: [first] }: Probe): number => order.indexOf(first ?? '');

/** All probes, in the order of the first clause that each of them is about. */
export const probes: readonly Probe[] = files
  .flatMap((file): readonly Probe[] => Object.values(file))
  .toSorted((a, b) => rank(a) - rank(b));
