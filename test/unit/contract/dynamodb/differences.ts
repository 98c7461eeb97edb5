import { it } from 'vitest';
import { type TargetName } from './targets.ts';

const guide = 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide';
const api = 'https://docs.aws.amazon.com/amazondynamodb/latest/APIReference';

/** Differences of dynalite 4.0.0 from AWS's documentation, which the embedded engine follows. */
const differences = {
  'delete-return-values': {
    dynalite: 'accepts any ReturnValues for DeleteItem',
    documented: `${api}/API_DeleteItem.html#DDB-DeleteItem-request-ReturnValues`,
  },
  'expression-size': {
    dynalite: 'has no limit on the length of an expression',
    documented: `${guide}/Constraints.html#limits-expression-parameters`,
  },
  operators: {
    dynalite: 'has no limit on the operators of an expression',
    documented: `${guide}/Constraints.html#limits-expression-parameters`,
  },
  'sort-key-size': {
    dynalite: 'takes any text as the sort key of a condition',
    documented: `${guide}/Constraints.html#limits-partition-sort-keys`,
  },
  'in-operands': {
    dynalite: 'has no limit on the operands of IN',
    documented: `${guide}/Expressions.OperatorsAndFunctions.html#Expressions.OperatorsAndFunctions.Syntax`,
  },
  'utf-8-size': {
    dynalite: 'counts UTF-16 units of strings as bytes',
    documented: `${guide}/CapacityUnitCalculations.html`,
  },
  'empty-query-units': {
    dynalite: 'charges nothing for a query that finds nothing',
    documented: `${guide}/read-write-operations.html#read-operation-consumption`,
  },
  'syntax-message': {
    dynalite: 'words syntax errors differently',
    documented: `${guide}/CommonErrors.html`,
  },
  'partition-megabyte': {
    dynalite: 'lets a BatchGetItem answer more than 1 MB of one partition',
    documented: `${api}/API_BatchGetItem.html`,
  },
  'numeric-equality': {
    dynalite: 'compares attributes inside documents as it compares JavaScript objects, by identity',
    documented: `${guide}/Expressions.OperatorsAndFunctions.html`,
  },
} as const;

export type Difference = keyof typeof differences;

/** A test of a promise that dynalite breaks. It must fail there, so that a corrected oracle is noticed. */
export function itDespite(difference: Difference, name: TargetName): typeof it | typeof it.fails {
  return name === 'dynalite' && difference in differences ? it.fails : it;
}
