/** Replaces the paginators of the document client, which would bring DynamoDB into bundles that never read it. */
export {};
