// The ESLint rule `tetrad/doc-tags`: doc comments say parameters, results and errors with the tags of TSDoc, and the
// parameters that they name are there (CONTRIBUTING.md). It is JavaScript next to the configuration, as `plain-words` is.

/** Labels in place of tags, at the beginning of a line of a comment. */
const LABEL = /^[\s*]*(In|Out|Fails):\s/gm;
/** The name of a parameter, or of a member of one: `options.limit`. */
const PARAM = /@param[ \t]+([\w$]+)/g;

/** The function that a declaration has or is; undefined for what is no function. */
function functionOf(node) {
  switch (node?.type) {
    case 'ExportNamedDeclaration':
    case 'ExportDefaultDeclaration':
      return functionOf(node.declaration);
    case 'MethodDefinition':
      return node.value;
    case 'FunctionDeclaration':
    case 'TSDeclareFunction':
    case 'TSMethodSignature':
    case 'TSAbstractMethodDefinition':
      return node;
    default:
      return undefined;
  }
}

/** The names of the parameters; undefined where one has no name, so that its comment chooses one. */
function namesOf({ params, value }) {
  const names = (params ?? value?.params ?? []).map((param) => {
    const declared = param.type === 'TSParameterProperty' ? param.parameter : param;
    const named = declared.type === 'AssignmentPattern' ? declared.left : declared;
    return named.type === 'RestElement' ? named.argument.name : named.name;
  });
  return names.includes(undefined) ? undefined : names;
}

export const docTags = {
  meta: {
    type: 'suggestion',
    docs: { description: 'require the tags of TSDoc, and parameters that exist' },
    schema: [],
    messages: {
      label: '"{{label}}:": use @param, @returns or @throws',
      parameter: '@param {{name}}: there is no such parameter',
    },
  },
  create(context) {
    const { sourceCode } = context;
    const isDoc = ({ type, value }) => type === 'Block' && value.startsWith('*');
    const report = (comment, index, messageId, data) => {
      // Two characters begin the comment.
      const start = sourceCode.getLocFromIndex(comment.range[0] + 2 + index);
      context.report({ loc: { start, end: start }, messageId, data });
    };
    const checkParameters = (node) => {
      const declared = functionOf(node);
      const doc = sourceCode.getCommentsBefore(node).filter(isDoc).at(-1);
      const names = declared && doc && namesOf(declared);
      if (names === undefined) return;
      for (const match of doc.value.matchAll(PARAM))
        if (!names.includes(match[1])) report(doc, match.index, 'parameter', { name: match[1] });
    };
    return {
      Program() {
        for (const comment of sourceCode.getAllComments().filter(isDoc))
          for (const match of comment.value.matchAll(LABEL))
            report(comment, match.index + match[0].indexOf(match[1]), 'label', { label: match[1] });
      },
      'ExportNamedDeclaration, ExportDefaultDeclaration, MethodDefinition, TSMethodSignature':
        checkParameters,
      'Program > :matches(FunctionDeclaration, TSDeclareFunction), TSAbstractMethodDefinition':
        checkParameters,
    };
  },
};
