// cordova-plugin-purchase on iOS: the server answers the service InAppPurchase, with the session's store. The wire is Cordova's.
// Source: j3k0/cordova-plugin-purchase 13.18.0, src/ios/InAppPurchase.m, src/ts/platforms/apple-appstore/appstore-bridge.ts, src/ts/error-codes.ts and src/ts/validator
// Plays: products and offers; purchases step by step, deferred ones and renewals; finish and autoFinish; restore; error codes; a validator of receipts
// Not played: the plugin's StoreKit 2 extension, Apple's form of receipts, several of a product in one purchase
// Ran: www/store.js 13.18.0

import { presets } from "../adapters.js";
import "./cordova.js";

presets["cordova-purchase"] = (native) => presets.cordova(native);
