/** `3 sent, 2 delivered, 1 failed again` */
export const sentText = (sent: number, delivered: number): string =>
  `${sent} sent, ${delivered} delivered, ${sent - delivered} failed again`;
