type Labels = Readonly<Record<string, string>>;

interface Counter {
  add(labels: Labels): void;
  family(): Family;
}

export function counter(name: string, help: string): Counter {
  const counts = new Map<string, { labels: Labels; value: number }>();
  return {
    add(labels) {
      const key = JSON.stringify(labels);
      counts.set(key, { labels, value: (counts.get(key)?.value ?? 0) + 1 });
    },
    family: () => ({ name, help, type: "counter", samples: [...counts.values()] }),
  };
}

interface Histogram {
  add(labels: Labels, value: number): void;
  family(): Family;
}

interface Bins {
  readonly labels: Labels;
  /** The number of values up to each bound. */
  readonly upTo: number[];
  count: number;
  sum: number;
}

export function histogram(name: string, help: string, bounds: readonly number[]): Histogram {
  const series = new Map<string, Bins>();
  const binsOf = (labels: Labels): Bins => {
    const key = JSON.stringify(labels);
    const bins = series.get(key) ?? { labels, upTo: bounds.map(() => 0), count: 0, sum: 0 };
    series.set(key, bins);
    return bins;
  };
  return {
    add(labels, value) {
      const bins = binsOf(labels);
      bounds.forEach((bound, place) => {
        if (value <= bound) bins.upTo[place] = (bins.upTo[place] ?? 0) + 1;
      });
      bins.count += 1;
      bins.sum += value;
    },
    family: () => ({
      name,
      help,
      type: "histogram",
      samples: [...series.values()].flatMap((bins) => samplesOf(bins, bounds)),
    }),
  };
}

function samplesOf({ labels, upTo, count, sum }: Bins, bounds: readonly number[]): Sample[] {
  const bucket = (le: string, value: number): Sample => ({
    suffix: "_bucket",
    labels: { ...labels, le },
    value,
  });
  return [
    ...bounds.map((bound, place) => bucket(String(bound), upTo[place] ?? 0)),
    bucket("+Inf", count),
    { suffix: "_sum", labels, value: sum },
    { suffix: "_count", labels, value: count },
  ];
}

/** Measured values of one name. */
export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly samples: readonly Sample[];
}

interface Sample {
  /** The suffix of the name: `_bucket`, `_sum`, `_count`. */
  readonly suffix?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The Prometheus text format. */
export function exposition(families: readonly Family[]): string {
  return families.map(familyText).join("");
}

function familyText({ name, help, type, samples }: Family): string {
  const lines = samples.map(
    ({ suffix = "", labels, value }) => `${name}${suffix}${labelText(labels)} ${value}\n`,
  );
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("")}`;
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
