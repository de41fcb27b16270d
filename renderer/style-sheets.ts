// Owns which style sheets the pages of Tillside have, and in which order: the window's and the companion bar's are drawn by the same rules. Never
// holds a rule.
import './styles/mantine-parts.css';
import './styles/tokens.css';
import './styles/base.css';
import './styles/mantine.css';
import './styles/shell.css';
import './styles/lookup.css';
import './styles/card.css';
import './styles/coupon-switch.css';
import './styles/expiry.css';
import './styles/misses.css';
import './styles/recent.css';
import './styles/codes.css';
import './styles/guide.css';
import './styles/details.css';
import './styles/lists.css';
import './styles/coupons.css';
import './styles/queue.css';
import './styles/stock.css';
import './styles/entry.css';
import './styles/settings.css';
import './styles/lock.css';
import './styles/labels.css';
import './styles/scanner.css';
import './styles/allowance.css';
import './styles/companion.css';
import './styles/forced-colours.css';
