/** A value, undefined if it is unknown, or the parts of a histogram. */
export type Value = number | undefined | Distribution;

/** How many were at most each bound, besides the sum and the number of all. */
interface Distribution {
  readonly sum: number;
  readonly count: number;
  readonly atMost: ReadonlyMap<number, number>;
}

/** Values of labels, besides `target` and `probe`. */
export type Labels = Readonly<Record<string, string>>;

/** The description of a metric: a row of monitor/metrics.md. */
export interface MetricDescription {
  readonly type: 'gauge' | 'counter' | 'histogram';
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
}

/**
 * All series of one name: one for each combination of label values. So no label can be missing, and no label can
 * hold arbitrary text.
 */
export interface Family<Of> extends MetricDescription {
  /** The labels besides `target` and `probe`. */
  readonly labels: readonly string[];
  /** At most this number of series for this target or probe. */
  size(of: Of): number;
  read(of: Of): readonly (readonly [Labels, Value])[];
}

type Lists = Readonly<Record<string, readonly string[]>>;
type Place<Of extends Lists> = { readonly [Name in keyof Of]: Of[Name][number] };

/**
 * Makes a family.
 * @param labels besides `target` and `probe`: each with all of its values, in the order of the text
 */
type Make<Of> = <const Values extends Lists>(
  name: string,
  help: string,
  read: (of: Of, at: Place<Values>) => Value,
  labels?: Values,
) => Family<Of>;

/** Makers of families of one kind of record. */
export function families<Of>(): Readonly<Record<Family<Of>['type'], Make<Of>>> {
  const maker =
    (type: Family<Of>['type']): Make<Of> =>
    (name, help, read, labels) => {
      const places = combinations(labels);
      return {
        type,
        name,
        help,
        labels: Object.keys(labels ?? {}),
        size: () => places.length,
        read: (of) => places.map((at) => [at, read(of, at)]),
      };
    };
  return {
    gauge: maker('gauge'),
    counter: maker('counter'),
    histogram: maker('histogram'),
  };
}

function combinations<Values extends Lists>(labels: Values | undefined): Place<Values>[] {
  const all = Object.entries(labels ?? {}).reduce<Labels[]>(
    (places, [name, values]) =>
      places.flatMap((place) => values.map((value) => ({ ...place, [name]: value }))),
    [{}],
  );
  // Object.entries loses the types of the keys.
  return all as Place<Values>[];
}
