import type { Rule } from 'eslint';

export declare const docTags: Rule.RuleModule;
