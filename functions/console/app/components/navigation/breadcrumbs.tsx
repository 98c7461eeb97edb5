interface BreadcrumbsProps {
  links: readonly (readonly [href: string, text: string])[];
  /** The kind of this page, or its name. */
  here: string;
}

/** The way to a page: `Webhooks / crm / Delivery`. */
export const Breadcrumbs = ({ links, here }: BreadcrumbsProps) => (
  <nav class="breadcrumbs" aria-label="Breadcrumbs">
    <ol class="plain">
      {links.map(([href, text]) => (
        <li key={href}>
          <a href={href}>{text}</a>
        </li>
      ))}
      <li>{here}</li>
    </ol>
  </nav>
);
