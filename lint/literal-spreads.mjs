// The ESLint rule `tetrad/literal-spreads`: an object or array literal has its members, and no spread of another literal,
// which would only lay them out in lines (CONTRIBUTING.md).

export const literalSpreads = {
  meta: {
    type: 'suggestion',
    docs: { description: 'refuse spreads of literals in literals' },
    schema: [],
    messages: { found: 'a spread of a literal: write its members' },
  },
  create(context) {
    const report = (node) => context.report({ node, messageId: 'found' });
    return {
      'ObjectExpression > SpreadElement > ObjectExpression': report,
      'ArrayExpression > SpreadElement > ArrayExpression': report,
    };
  },
};
