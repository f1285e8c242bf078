import { render } from 'preact';
import { applyStoredTheme } from '../parts/theme-toggle.tsx';
import '../styles/tokens.css';
import '../styles/base.css';
import '../styles/verify.css';
import { VerifyPage } from './verify-page.tsx';

applyStoredTheme();
const root = document.getElementById('app');
if (root !== null) render(<VerifyPage />, root);
