/** The name with its mark: two streams that become one. */
export const Brand = () => (
  <span class="brand">
    <svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
      <rect class="brand-ground" width="32" height="32" rx="8" />
      <path class="brand-line" d="M8 7c0 6 8 5 8 11v7M24 7c0 6-8 5-8 11" />
    </svg>
    Tributary
  </span>
);
