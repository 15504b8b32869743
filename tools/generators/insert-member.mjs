import ts from 'typescript';

/**
 * The member of an object literal with this name, or undefined when the source has none.
 *
 * @param {string} text a source
 * @param {string} name
 */
export function findMember(text, name) {
  const source = ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true);
  let found;
  const visit = (node) => {
    if (found !== undefined) return;
    if (ts.isObjectLiteralElementLike(node) && node.name?.text === name) found = node;
    else ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The text of a property in the object that a member is called with, as in `name: define({ property: … })`; undefined without one. */
export function propertyText(member, property) {
  const argument = member.initializer?.arguments?.[0];
  const found = argument?.properties?.find(({ name }) => name?.text === property);
  return found?.initializer?.getText() ?? (found === undefined ? undefined : property);
}

/** Puts text after a member, with a comma between the two. */
export function insertAfter(text, member, added) {
  const end = member.getEnd();
  const comma = /^\s*,/.exec(text.slice(end))?.[0] ?? '';
  const rest = text.slice(end + comma.length);
  return `${text.slice(0, end)},\n${added},${rest.startsWith('\n') ? '' : '\n'}${rest}`;
}
