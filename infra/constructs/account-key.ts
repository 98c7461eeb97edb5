import { AnyPrincipal, Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import type { ServiceFunction } from './service-function.ts';
import type { StoredDataProps } from './stored-data.ts';

/** Data keys that the webhooks of an owner share. */
const OF_A_DAY = {
  StringLike: { 'kms:EncryptionContext:owner': 'u_*', 'kms:EncryptionContext:webhooks': '20*' },
};

/**
 * The KMS key that encrypts the fields of connected accounts, and the signing secrets of webhooks and workflows. They
 * cannot be read without it.
 */
export class AccountKey extends Construct {
  readonly key: IKey;

  constructor(scope: Construct, id: string, { removalPolicy, adopt }: StoredDataProps) {
    super(scope, id);
    if (adopt !== undefined) {
      this.key = Key.fromKeyArn(this, 'Key', adopt);
      return;
    }
    this.key = new Key(this, 'Key', {
      description: 'Tributary: connected accounts and signing secrets',
      enableKeyRotation: true,
      removalPolicy,
    });
    this.key.addToResourcePolicy(grantsForServicesOnly());
  }

  get arn(): string {
    return this.key.keyArn;
  }

  /** Allows decryption only with an encryption context that names owner and account. */
  grantDecrypt(to: ServiceFunction): void {
    to.allow(['kms:Decrypt'], [this.key.keyArn], {
      StringLike: { 'kms:EncryptionContext:owner': 'u_*', 'kms:EncryptionContext:account': 'apn_*' },
    });
    to.env('ACCOUNT_KEY_ARN', this.key.keyArn);
  }

  /** Allows encryption of the fields of accounts. */
  grantSealAccounts(to: ServiceFunction): void {
    to.allow(['kms:GenerateDataKey'], [this.key.keyArn], {
      StringLike: { 'kms:EncryptionContext:owner': 'u_*', 'kms:EncryptionContext:account': 'apn_*' },
    });
    to.env('ACCOUNT_KEY_ARN', this.key.keyArn);
  }

  /**
   * Allows what renewing takes: no other function can decrypt refresh tokens, also those of people, the tokens of a
   * sign-in, and the secrets of clients.
   */
  grantOAuth(to: ServiceFunction): void {
    this.grantDecrypt(to);
    this.grantSealAccounts(to);
    for (const part of ['renewal', 'attempt']) {
      to.allow(['kms:Decrypt', 'kms:GenerateDataKey'], [this.key.keyArn], {
        StringLike: {
          'kms:EncryptionContext:owner': 'u_*',
          [`kms:EncryptionContext:${part}`]: part === 'renewal' ? 'apn_*' : 'ca_*',
        },
      });
    }
    to.allow(['kms:Decrypt'], [this.key.keyArn], {
      StringLike: { 'kms:EncryptionContext:owner': 'operator', 'kms:EncryptionContext:client': 'oc_*' },
    });
    to.allow(['kms:Decrypt', 'kms:GenerateDataKey'], [this.key.keyArn], {
      StringLike: { 'kms:EncryptionContext:owner': 'operator', 'kms:EncryptionContext:session': 'sn_*' },
    });
  }

  /** Allows encryption of the signing secrets and headers of webhooks, by a data key of their owner. */
  grantSealWebhooks(to: ServiceFunction): void {
    to.allow(['kms:GenerateDataKey'], [this.key.keyArn], OF_A_DAY);
    to.env('ACCOUNT_KEY_ARN', this.key.keyArn);
  }

  /**
   * Allows decryption of the signing secrets and headers of webhooks, also of those that earlier releases sealed one by
   * one.
   */
  grantOpenWebhooks(to: ServiceFunction): void {
    to.allow(['kms:Decrypt'], [this.key.keyArn], OF_A_DAY);
    to.allow(['kms:Decrypt'], [this.key.keyArn], {
      StringLike: { 'kms:EncryptionContext:owner': 'u_*', 'kms:EncryptionContext:listener': 'wh_*' },
    });
  }

  /** Allows decryption of the signing secrets of webhooks and workflows. */
  grantOpenListeners(to: ServiceFunction): void {
    to.allow(['kms:Decrypt'], [this.key.keyArn], OF_A_DAY);
    to.allow(['kms:Decrypt'], [this.key.keyArn], {
      StringLike: {
        'kms:EncryptionContext:owner': 'u_*',
        'kms:EncryptionContext:listener': ['wh_*', 'p_*'],
      },
    });
    to.env('ACCOUNT_KEY_ARN', this.key.keyArn);
  }
}

/** Only services of AWS may pass the use of the key on. The rule CT.KMS.PR.3 of Control Tower asks for this text. */
const grantsForServicesOnly = () =>
  new PolicyStatement({
    effect: Effect.DENY,
    principals: [new AnyPrincipal()],
    actions: ['kms:CreateGrant'],
    resources: ['*'],
    conditions: { BoolIfExists: { 'kms:GrantIsForAWSResource': 'false', 'aws:PrincipalIsAWSService': 'false' } },
  });
