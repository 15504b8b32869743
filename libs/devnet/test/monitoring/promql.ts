import { parser } from '@prometheus-io/lezer-promql';

type Tree = ReturnType<typeof parser.parse>;
type SyntaxNode = Tree['topNode'];

/** A label that a series has to have with a value. */
export interface LabelMatch {
  readonly label: string;
  readonly operator: string;
  readonly value: string;
}

/** A selection of series in an expression. */
export interface Selection {
  /** Undefined when a matcher of `__name__` selects the metric. */
  readonly name: string | undefined;
  readonly matches: readonly LabelMatch[];
}

/** The series that an expression selects, and the labels by which it groups and joins them. */
export interface ExpressionUse {
  readonly selections: readonly Selection[];
  readonly labels: readonly string[];
}

/** @throws Error naming the place that is not PromQL */
export function readExpression(expression: string): ExpressionUse {
  const selections: Selection[] = [];
  const labels: string[] = [];
  const textOf = ({ from, to }: { readonly from: number; readonly to: number }) => expression.slice(from, to);
  parser.parse(expression).iterate({
    enter({ type, node }) {
      if (type.isError)
        throw new Error(`no PromQL at "${expression.slice(node.from, node.from + 20)}" of ${expression}`);
      if (type.name === 'VectorSelector') selections.push(selectionOf(node, textOf));
      if (type.name === 'GroupingLabels')
        labels.push(...node.getChildren('LabelName').map((label) => textOf(label)));
    },
  });
  return { selections, labels };
}

function selectionOf(node: SyntaxNode, textOf: (node: SyntaxNode) => string): Selection {
  const name = node.getChild('Identifier');
  const matchers = node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? [];
  const matches = matchers.map((matcher): LabelMatch => {
    const part = (kind: string) => textOf(matcher.getChild(kind) as SyntaxNode);
    return { label: part('LabelName'), operator: part('MatchOp'), value: part('StringLiteral').slice(1, -1) };
  });
  return { name: name === null ? undefined : textOf(name), matches };
}
