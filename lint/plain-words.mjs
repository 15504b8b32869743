// The ESLint rule `tetrad/plain-words`: comments, texts and names without the words below (CONTRIBUTING.md, "Words").
// It is JavaScript next to the configuration, because lint has to run before anything is built.

/** A space, or the end of a comment's line and the asterisk of the next. */
const GAP = '[\\s*]+';

/** Expressions for the words, each with its alternatives. */
const WORDS = [
  ['nobody|somebody|everybody|anybody|whoever', 'name the actor: the caller, a peer, every node'],
  ['knock(?:s|ed|ing)?', 'request, connection attempt'],
  ['diar(?:y|ies)', 'log'],
  ['judg(?:es?|ed|ing|e?ments?)', 'check, validate'],
  [`(?:is|are)${GAP}told`, 'is notified, gets, is announced to'],
  [`stands${GAP}(?:in|at|twice)`, 'is in, is at, is duplicated'],
  [`(?:that|which)${GAP}(?:is|are)${GAP}none`, 'invalid, that is not a …'],
  [`hands${GAP}(?:out|on)`, 'assigns, passes on, forwards'],
].map(([pattern, instead]) => ({ pattern: new RegExp(`\\b(?:${pattern})\\b`, 'gi'), instead }));

/** `ValidatorDiary`, `validator_diary` → `Validator Diary`, in the same number of words. */
function wordsOf(name) {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/[_$]+/g, ' ');
}

export const plainWords = {
  meta: {
    type: 'suggestion',
    docs: { description: 'require plain words in comments, strings and identifiers' },
    schema: [],
    messages: { found: '"{{found}}": use a plain word instead ({{instead}})' },
  },
  create(context) {
    const { sourceCode } = context;
    /** Offsets of names that were checked: both names of an import without `as` are at one place. */
    const checked = new Set();

    /**
     * Reports each word of a source text.
     * @param start - its offset in the file
     */
    const checkText = (text, start) => {
      for (const { pattern, instead } of WORDS) {
        for (const match of text.matchAll(pattern)) {
          const at = start + match.index;
          const loc = {
            start: sourceCode.getLocFromIndex(at),
            end: sourceCode.getLocFromIndex(at + match[0].length),
          };
          const found = match[0].replace(new RegExp(GAP, 'g'), ' ');
          context.report({ loc, messageId: 'found', data: { found, instead } });
        }
      }
    };
    const checkNode = (node) => checkText(sourceCode.getText(node), node.range[0]);
    const checkName = (node) => {
      if (checked.has(node.range[0])) return;
      checked.add(node.range[0]);
      const name = wordsOf(node.name);
      const word = WORDS.find(({ pattern }) => name.search(pattern) >= 0);
      if (word === undefined) return;
      context.report({ node, messageId: 'found', data: { found: node.name, instead: word.instead } });
    };

    return {
      Program: () => sourceCode.getAllComments().forEach(checkNode),
      Literal: (node) => typeof node.value === 'string' && checkNode(node),
      TemplateElement: checkNode,
      Identifier: checkName,
      PrivateIdentifier: checkName,
    };
  },
};
