import { RecursiveLoop, TenancyConfig } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { FunctionName } from './bundle.ts';
import { ServiceFunction, type ServiceFunctionProps } from './constructs/service-function.ts';
import { sizing } from './sizing.ts';
import type { Stage } from './stage.ts';
import { stageVariables } from './stage-variables.ts';

/** Folder of a function's bundle. */
export type AssetOf = (name: FunctionName) => string;

export interface FunctionFactoryProps {
  stage: Stage;
  assetOf: AssetOf;
}

/** Creates functions with the bundles and log settings of a stage. They may only write their own log. */
export class FunctionFactory {
  private readonly scope: Construct;
  private readonly stage: Stage;
  private readonly assetOf: AssetOf;
  readonly made: ServiceFunction[] = [];

  constructor(scope: Construct, { stage, assetOf }: FunctionFactoryProps) {
    this.scope = scope;
    this.stage = stage;
    this.assetOf = assetOf;
  }

  create(
    id: string,
    name: FunctionName,
    { timeout, memoryMb }: { timeout: number; memoryMb: number },
    more: Partial<ServiceFunctionProps> = {},
  ): ServiceFunction {
    const made = new ServiceFunction(this.scope, id, {
      asset: this.assetOf(name),
      timeout,
      memoryMb,
      logDays: this.stage.retention.logDays,
      // Functions for untrusted code have no rights but their log.
      isTraced: this.stage.tracing && more.tenancyConfig === undefined,
      ...more,
    });
    this.made.push(made);
    return made.env('LOG_LEVEL', stageVariables(this.stage).LOG_LEVEL);
  }

  /**
   * Allows recursive loops, because sources may listen to each other. The service's own hop limit is higher than
   * Lambda's.
   */
  forQueue(id: string, name: 'run-source' | 'deliver-event' | 'retry-delivery' | 'jobs'): ServiceFunction {
    return this.create(id, name, sizing.functions[name], { recursiveLoop: RecursiveLoop.ALLOW });
  }

  /** A function for untrusted code: no instance serves two tenants. It gets no further permission. */
  untrusted(
    id: string,
    name: 'builder' | 'runner',
    { temporaryMb, ...size }: { timeout: number; memoryMb: number; temporaryMb: number },
  ): ServiceFunction {
    return this.create(id, name, size, { temporaryMb, tenancyConfig: TenancyConfig.PER_TENANT });
  }
}
