import { type ReactNode, useEffect, useRef } from 'react';

/** The browser's own modal dialog: it keeps the focus, gives it back, and closes by Escape. */
export function Dialog({
  title,
  close,
  children,
  className,
}: {
  readonly title: string;
  readonly close: () => void;
  readonly children: ReactNode;
  readonly className?: string;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  return (
    <dialog ref={dialog} onClose={close} aria-label={title} className={className}>
      {children}
    </dialog>
  );
}
