import * as z from 'zod';

/** Characters of an icon's address, which has the image in it. */
const MAX_ICON = 100_000;
/** Characters of a wallet's name. */
const MAX_NAME = 60;

/** What a wallet answers requests with. Source: EIP-1193 */
export interface Provider {
  request(request: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>;
}

/** A wallet that an extension of the browser announced. Source: EIP-6963 */
export interface Wallet {
  readonly uuid: string;
  /** What the wallet says that it is: others may say so too. */
  readonly name: string;
  /** A domain in reverse order, which nothing proves. */
  readonly rdns: string;
  /** An image as a data: URI; undefined for one of another form. */
  readonly icon: string | undefined;
  readonly provider: Provider;
}

const infoSchema = z.object({
  uuid: z.string().min(1).max(100),
  name: z.string().transform((text) => text.slice(0, MAX_NAME)),
  rdns: z.string().transform((text) => text.slice(0, MAX_NAME)),
  icon: z.unknown().optional(),
});

/** Undefined for an announcement of another form, whose members may even throw. */
export function walletOf(announcement: { readonly detail?: unknown }): Wallet | undefined {
  try {
    const { info, provider } = (announcement.detail ?? {}) as {
      readonly info?: unknown;
      readonly provider?: Provider;
    };
    const parsed = infoSchema.safeParse(info);
    if (!parsed.success || typeof provider?.request !== 'function') return undefined;
    return { ...parsed.data, icon: iconOf(parsed.data.icon), provider };
  } catch {
    return undefined;
  }
}

/** An image that has all of itself in its address. Images run no scripts and load nothing, SVG included. */
function iconOf(icon: unknown): string | undefined {
  if (typeof icon !== 'string' || icon.length > MAX_ICON) return undefined;
  return /^data:image\/(?:png|jpeg|gif|webp|svg\+xml)[;,]/i.test(icon) ? icon : undefined;
}
