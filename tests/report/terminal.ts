import tty from 'node:tty';

/**
 * A stream that reports to be a terminal with this number of columns, or not a terminal, and the written texts. Its
 * methods that report colours are Node's own.
 */
export function terminal(columns: number | undefined): [tty.WriteStream, () => string[]] {
  const written: string[] = [];
  const stream = new Proxy(process.stderr, {
    get(target, name) {
      if (name === 'isTTY') return columns !== undefined;
      if (name === 'columns') return columns;
      if (name === 'getColorDepth') return tty.WriteStream.prototype.getColorDepth;
      if (name === 'write') return (text: string) => written.push(text) > 0;
      return Reflect.get(target, name);
    },
  });
  return [stream, () => written];
}
