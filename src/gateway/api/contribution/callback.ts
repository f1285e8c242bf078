import type { CallbackOptions } from '../../../contracts/contributions/contribution.ts';
import type { Contribute } from '../../../messages/player-commands.ts';
import { parseEndpoint } from '../../../network/endpoint.ts';
import type { GatewayContext } from '../operation/operation.ts';

/** The callback as the log keeps it; null where the operator has not registered its origin (docs/rules/callbacks.md "Addresses"). */
export function allowedCallback(
  { directory, development }: Pick<GatewayContext, 'directory' | 'development'>,
  operator: string,
  callback: CallbackOptions,
): Contribute['callback'] {
  const endpoint = parseEndpoint(callback.web_hook, development);
  if (endpoint === null || !directory.allowsWebhook(operator, endpoint.origin)) return null;
  return { webHook: callback.web_hook, winResultOnly: callback.win_result_only ?? false };
}
