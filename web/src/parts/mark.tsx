/** Three streams fall into a pot. */
export function Mark() {
  return (
    <svg class="logo" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="9" class="logo-ground" />
      <path d="M10 5v6.5M16 3.5v8M22 5v6.5" class="logo-stream" />
      <path d="M6.5 15.5h19a9.5 9.5 0 0 1-19 0Z" class="logo-pot" />
      <path d="M12 28h8" class="logo-foot" />
    </svg>
  );
}
