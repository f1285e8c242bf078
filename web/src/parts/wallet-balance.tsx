import { useEffect, useState } from 'preact/hooks';
import { formatMoney } from '../money/format.ts';
import { type Balance, readBalance } from '../session/balance.ts';

const refreshMs = 1000;

/** The player's money, as the wallet has it now: contributions that the player pays take from it, wins add to it. */
export function WalletBalance({ playerId }: { readonly playerId: string }) {
  const [balance, setBalance] = useState<Balance | null>(null);
  useEffect(() => {
    let isOver = false;
    let timer: ReturnType<typeof setTimeout>;
    const refresh = async () => {
      const found = document.hidden ? null : await readBalance(playerId).catch(() => null);
      if (isOver) return;
      if (found !== null) setBalance(found);
      timer = setTimeout(refresh, refreshMs);
    };
    void refresh();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [playerId]);
  const shown = balance?.playerId === playerId ? balance : null;
  return (
    <p class="wallet-balance">
      <span>Wallet</span>
      <strong data-testid="balance" data-atoms={shown?.atoms.toString()}>
        {shown === null ? '…' : formatMoney(shown.atoms, shown.currency)}
      </strong>
    </p>
  );
}
