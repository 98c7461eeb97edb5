import type { ComponentChildren } from 'preact';

/** Says that there is nothing yet, and what to do next. */
export const EmptyState = ({ title, children }: { title: string; children?: ComponentChildren }) => (
  <div class="empty">
    <p class="empty-title">{title}</p>
    {children}
  </div>
);

/** Takes the place of a form that the role of a person does not allow. */
export const OwnersOnly = ({ act }: { act: string }) => (
  <EmptyState title="Your role is viewer.">
    <p>An owner {act}. Ask your operator for the role.</p>
  </EmptyState>
);
