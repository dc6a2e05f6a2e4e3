// Adapty's SDK for Capacitor: its plugin is answered by the server, with the session's store. The wire is Capacitor's.
// Source: adaptyteam/AdaptySDK-Capacitor 3.17.1, ios/Sources/AdaptyCapacitorPlugin and src/adapty.ts; AdaptySDK-JS-Core 3.17.0, cross_platform.yaml and src/types/error.ts; AdaptySDK-iOS, Sources/Errors/AdaptyError.swift (04c18d0), Sources/StoreKit/AdaptyPaywallProduct+offers.swift (68ef424)
// Plays: profiles with access levels, identify and logout; paywalls of placements, products and their offers; purchases, restore; onLatestProfileLoad; error codes
// Not played: the paywall builder, onboardings, web paywalls, A/B tests and audiences, fallback files, refund preferences, commitments of 12 months
// Ran: @adapty/capacitor 3.17.1, built from source

import { presets } from "../adapters.js";
import "./capacitor.js";

presets.adapty = (native) => presets.capacitor(native);
