import type { Rule } from 'eslint';

export declare const literalSpreads: Rule.RuleModule;
