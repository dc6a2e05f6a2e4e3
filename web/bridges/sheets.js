// The sheets of the bridges. Only this list and their folders name them.

import "./declared/sheets/form.js";
import "./gbg/sheets/capture.js";
import "./onside/sheets/login.js";
import "./onside/sheets/payment.js";
import "./onside/sheets/payment-methods.js";
import "./onside/sheets/price-change.js";
import "./onside/sheets/price-increase.js";
import "./onside/sheets/unavailable.js";
