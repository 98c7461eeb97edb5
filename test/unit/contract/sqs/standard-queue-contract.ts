import { batchContract } from './batch-contract.ts';
import { contract, type ContractOptions } from './contract.ts';
import { finishingContract } from './finishing-contract.ts';
import { queueContract } from './queue-contract.ts';
import { receivingContract } from './receiving-contract.ts';
import { sendingContract } from './sending-contract.ts';

/** The promises of a standard queue, for every target. */
export function standardQueueContract(options: ContractOptions): void {
  const made = contract(options);
  sendingContract(made);
  batchContract(made);
  receivingContract(made);
  finishingContract(made);
  queueContract(made);
}
