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
    // It leaves with its element: closing it here would tell the owner that the person did.
    if (dialog.current?.open === false) dialog.current.showModal();
  }, []);
  return (
    <dialog ref={dialog} onClose={close} aria-label={title} className={className}>
      {children}
    </dialog>
  );
}
