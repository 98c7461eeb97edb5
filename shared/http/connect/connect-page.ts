import { createHash } from 'node:crypto';
import { CONFIRM_PATH } from '../../domain/oauth/connect-addresses.ts';
import type { Confirmation, ConnectOutcome } from '../../service/connecting/connect-outcome.ts';
import { html, Markup } from '../docs/markup.ts';
import { STYLE } from './connect-style.ts';

/** Without white space around the text, which would be part of the hash. */
const STYLE_ELEMENT = new Markup(`<style>${STYLE}</style>`);
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** No script, and nothing from elsewhere. */
export const CONTENT_SECURITY_POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`;

type Shown = Exclude<ConnectOutcome, { kind: 'redirect' }>;

/** The page of an outcome. `origin` names this service. */
export function connectPage(outcome: Shown, origin: string): string {
  switch (outcome.kind) {
    case 'confirm':
      return page('Connect this account?', confirmationPart(outcome.confirmation, origin));
    case 'connected':
      return page(
        'The account is connected',
        html`<p>
            ${outcome.username} of ${origin} can now use this account of ${outcome.app}. You can close this page: the
            console and the command line go on by themselves.
          </p>
          <p class="note">If this was a mistake, delete the account there; that revokes its access.</p>`,
      );
    case 'problem':
      return page(
        outcome.title,
        html`<p>${outcome.sentence}</p>
          ${
            outcome.words === undefined || outcome.words === ''
              ? undefined
              : html`<p>The provider says:</p>
                  <blockquote>${outcome.words}</blockquote>`
          }`,
      );
  }
}

const page = (title: string, content: Markup): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title} · Tributary</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        <main>
          <p class="brand">Tributary</p>
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html> `.text;

function confirmationPart(confirmation: Confirmation, origin: string): Markup {
  const { username, app, provider, login, scopes, missingScopes, reconnects } = confirmation;
  const isOtherLogin = reconnects?.isOtherLogin === true;
  return html`<p>
      The user <strong>${username}</strong> of the Tributary at <strong>${origin}</strong> gets access to this account.
      Go on only if you are this user, or want this user to have it.
    </p>
    <dl>
      <dt>App</dt>
      <dd>${app === provider ? app : `${app} (${provider})`}</dd>
      <dt>Login</dt>
      <dd>${login ?? 'the provider does not name it'}</dd>
      ${
        scopes.length === 0
          ? undefined
          : html`<dt>Access</dt>
              <dd>${scopes.join(', ')}</dd>`
      }
      ${
        reconnects === undefined
          ? undefined
          : html`<dt>Connects again</dt>
              <dd>${reconnects.name}</dd>`
      }
    </dl>
    ${
      missingScopes.length === 0
        ? undefined
        : html`<p class="warning">
            The provider did not grant ${missingScopes.join(', ')}: components that need this will fail.
          </p>`
    }
    ${
      isOtherLogin
        ? html`<p class="warning">
            This is another login than before${reconnects.login === undefined ? '' : html` (${reconnects.login})`}. All
            sources of the account would go on with it.
          </p>`
        : undefined
    }
    <form method="post" action="${CONFIRM_PATH}">
      <input type="hidden" name="state" value="${confirmation.state}" />
      <input type="hidden" name="confirmation" value="${confirmation.confirmation}" />
      ${
        isOtherLogin
          ? html`<label
              ><input type="checkbox" name="other_login" value="yes" required /> Use this login instead of the one
              before</label
            >`
          : undefined
      }
      <button type="submit">Connect this account</button>
    </form>
    <p class="note">If you do not go on, the access is revoked within 11 minutes. You can close this page.</p>`;
}
