import {
  type FunctionLikeDeclaration,
  isArrowFunction,
  isConstructorDeclaration,
  isFunctionLikeDeclaration,
  isPropertyAssignment,
  isPropertyDeclaration,
  isVariableDeclaration,
  type Node,
} from 'typescript/unstable/ast';
import { API } from 'typescript/unstable/sync';
import { programs, type SourceFile } from './tree.ts';

/** A function, method or arrow function, with the number of its lines. */
export interface FunctionLines {
  readonly path: string;
  readonly name: string;
  readonly lines: number;
}

/** The files of each call, in their own folder. */
const texts = new Map<string, string>();
let calls = 0;

/**
 * TypeScript's own parser. Its API is not stable yet, so package.json has an exact version. It is a process, which
 * ends with this one.
 */
const parser = new API({
  cwd: '/',
  fs: {
    readFile: (name) => texts.get(name) ?? null,
    fileExists: (name) => texts.has(name),
    directoryExists: () => false,
    getAccessibleEntries: () => ({ files: [], directories: [] }),
    realpath: (name) => name,
  },
});

/** All functions in the programs among the files. A nested function also counts for the outer one. */
export function functionsOf(files: readonly SourceFile[]): FunctionLines[] {
  calls += 1;
  const folder = `/${calls}`;
  const parsed = programs(files).map(({ path, text }) => ({ path, text, at: `${folder}/${path}` }));
  for (const { at, text } of parsed) texts.set(at, text);
  const compilerOptions = { noLib: true, noResolve: true, types: [] };
  const config = { compilerOptions, files: parsed.map(({ at }) => at) };
  const openProject = `${folder}/tsconfig.json`;
  texts.set(openProject, JSON.stringify(config));
  using snapshot = parser.updateSnapshot({ openProject });
  const program = snapshot.getProject(openProject)?.program;
  return parsed.flatMap(({ path, text, at }) => {
    const file = program?.getSourceFile(at);
    if (file === undefined) throw new Error(`TypeScript does not parse ${path}`);
    return within(file, 'the file').map(({ node, name }) => ({
      path,
      name,
      lines: text.slice(node.getStart(), node.end).split('\n').length,
    }));
  });
}

interface Named {
  readonly node: Node;
  readonly name: string;
}

/** The functions below a node. @param outer the name of the function around it */
function within(node: Node, outer: string): Named[] {
  const found: Named[] = [];
  node.forEachChild((child) => {
    const isFunction = isFunctionLikeDeclaration(child) && child.body !== undefined;
    const name = isFunction ? (nameOf(child) ?? `a callback in ${outer}`) : outer;
    if (isFunction) found.push({ node: child, name });
    found.push(...within(child, name));
  });
  return found;
}

/** The function's own name, or that of the constant or property that holds it. */
function nameOf(node: FunctionLikeDeclaration): string | undefined {
  if (isConstructorDeclaration(node)) return 'constructor';
  const { parent } = node;
  const holder =
    isVariableDeclaration(parent) || isPropertyAssignment(parent) || isPropertyDeclaration(parent)
      ? parent.name
      : undefined;
  return (isArrowFunction(node) ? holder : (node.name ?? holder))?.getText();
}
