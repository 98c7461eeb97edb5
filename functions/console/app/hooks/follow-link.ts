/**
 * Goes to a page of the console as a click on a link does, so that a page with unsaved changes asks before it is left.
 */
export function followLink(href: string): void {
  const link = document.createElement('a');
  link.href = href;
  document.body.append(link);
  link.click();
  link.remove();
}
