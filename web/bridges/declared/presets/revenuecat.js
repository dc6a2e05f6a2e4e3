// RevenueCat's SDK for Capacitor: its plugin is answered by the server, with the session's store. The wire is Capacitor's.
// Source: RevenueCat/purchases-capacitor 13.4.1, ios/Sources/RevenuecatPurchasesCapacitor/PurchasesPlugin.swift; RevenueCat/purchases-hybrid-common 18.32.1, CommonFunctionality.swift and *+HybridAdditions.swift
// Plays: offerings, products and offers; purchases, restore and users; customer information with entitlements, and its listeners; error codes
// Not played: paywalls, the customer center, virtual currencies, web purchases, the sheet for refunds
// Ran: @revenuecat/purchases-capacitor 13.4.1, with Capacitor 8.4.2, built from source

import { presets } from "../adapters.js";
import "./capacitor.js";

presets.revenuecat = (native) => presets.capacitor(native);
