// Qonversion's SDK for Capacitor: its plugin is answered by the server, with the session's store. The wire is Capacitor's.
// Source: qonversion/capacitor-plugin 1.8.0, ios/Sources/QonversionPlugin/QonversionPlugin.swift, Extensions.swift and src/internal/Mapper.ts; qonversion/sandwich-sdk 7.11.0, ios/sandwich/QonversionSandwich.swift and Mappers.swift
// Plays: products, offerings, trial and promotional offers; purchases, restore, users and their properties; entitlements and their events; remote configurations; error codes
// Not played: win-back offers, which its wire has not; the No-Codes plugin, experiments, fallback files, attribution, purchases that begin in the App Store
// Ran: @qonversion/capacitor-plugin 1.8.0

import { presets } from "../adapters.js";
import "./capacitor.js";

presets.qonversion = (native) => presets.capacitor(native);
