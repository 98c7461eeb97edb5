/** The name of a webhook, or its address. */
export const webhookName = ({ name, url }: { name: string | null; url: string }): string => name ?? url;
