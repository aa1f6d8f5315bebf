/*
 * Node does not strip types from files below node_modules. If this project is installed there as a package, this
 * module strips the types of its files. It does so in this process and in the Node processes that it starts. In a
 * checkout it does nothing.
 */
import crypto from 'node:crypto';
import fs from 'node:fs';
import nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

const own = new URL('../../', import.meta.url);
const dependencies = new URL('node_modules/', own);
const cache = new URL('.cache/stripped/', dependencies);

/** Whether a module belongs to this project, and not to a package that it uses. */
export const isOwn = (url) => url.startsWith(own.href) && !url.startsWith(dependencies.href);

// An old Node has no hooks; loading.js refuses it, after this.
if (own.href.includes('/node_modules/') && nodeModule.registerHooks !== undefined) {
  nodeModule.registerHooks({
    load(url, context, nextLoad) {
      if (!isOwn(url) || !url.endsWith('.ts')) return nextLoad(url, context);
      return { format: 'module', source: stripped(fileURLToPath(url)), shortCircuit: true };
    },
  });
  const option = `--import=${import.meta.url}`;
  const { NODE_OPTIONS: options = '' } = process.env;
  if (!options.includes(option)) process.env.NODE_OPTIONS = `${options} ${option}`.trim();
}

/** Caches the result by a hash of the source. The next start needs half the CPU time and 30 MB less memory. */
function stripped(file) {
  const text = fs.readFileSync(file, 'utf8');
  const kept = new URL(`${crypto.hash('sha256', text)}.js`, cache);
  try {
    return fs.readFileSync(kept, 'utf8');
  } catch {
    const code = withoutTypes(withCommands(text));
    keep(kept, code);
    return code;
  }
}

/** Writes a file atomically for other processes. If the folder cannot be written, nothing is cached. */
function keep(file, code) {
  const draft = new URL(`${file.href}.${process.pid}`);
  try {
    fs.mkdirSync(cache, { recursive: true });
    fs.writeFileSync(draft, code);
    fs.renameSync(draft, file);
  } catch {}
}

/** Suppresses Node's warning that its function is experimental. */
function withoutTypes(text) {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return nodeModule.stripTypeScriptTypes(text);
  } finally {
    process.emitWarning = emitWarning;
  }
}

/**
 * The installed package has no npm scripts, so its messages must name its command instead. A ` --` or three blanks
 * after a script's name are removed too, so that columns stay aligned. A line that continues such a column, and so begins
 * with many blanks, moves as far as the command is longer.
 */
function withCommands(text) {
  return text
    .replaceAll(
      /\bnpm (?:run )?(start|gate|probe|pact:verify|pact:lint)\b(?![:-])(?: --(?![\w-])| {3}(?= ))?/g,
      (_, script) => `public-api-contract ${script.replace(':', '-')}`,
    )
    .replaceAll(/^ {40,}(?=\S)/gm, (blanks) => `${blanks}${' '.repeat(9)}`);
}
