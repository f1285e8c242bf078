import { useState } from 'preact/hooks';

type Theme = 'system' | 'light' | 'dark';
const storageKey = 'potstream.theme';
const next: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' };
const words: Record<Theme, string> = { system: 'as the system', light: 'light', dark: 'dark' };

export function ThemeToggle() {
  const [theme, setTheme] = useState<Theme>(storedTheme);
  const change = () => {
    const chosen = next[theme];
    store(chosen);
    apply(chosen);
    setTheme(chosen);
  };
  return (
    <button type="button" class="round" onClick={change} aria-label={`Colours: ${words[theme]}. Change`}>
      <svg viewBox="0 0 20 20" aria-hidden="true">
        {theme === 'light' && (
          <path d="M10 6.2a3.8 3.8 0 1 0 0 7.6 3.8 3.8 0 0 0 0-7.6ZM10 1.5v2M10 16.5v2M1.5 10h2M16.5 10h2M4 4l1.4 1.4M14.6 14.6 16 16M16 4l-1.4 1.4M5.4 14.6 4 16" />
        )}
        {theme === 'dark' && <path d="M16.5 12A7 7 0 0 1 8 3.5 7 7 0 1 0 16.5 12Z" />}
        {theme === 'system' && (
          <>
            <circle cx="10" cy="10" r="7" />
            <path class="filled" d="M10 3a7 7 0 0 1 0 14Z" />
          </>
        )}
      </svg>
    </button>
  );
}

export function applyStoredTheme(): void {
  apply(storedTheme());
}

function apply(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** Storage may be forbidden; then the system's choice holds. */
function storedTheme(): Theme {
  try {
    const stored = localStorage.getItem(storageKey);
    return stored === 'light' || stored === 'dark' ? stored : 'system';
  } catch {
    return 'system';
  }
}

function store(theme: Theme): void {
  try {
    localStorage.setItem(storageKey, theme);
  } catch {
    // The choice then lasts as long as the page.
  }
}
