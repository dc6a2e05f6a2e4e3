import { test as base, expect } from "@playwright/test";
import { fixtures } from "footbridge";

const test = base.extend(fixtures);

test("paid coins are counted", async ({ page, footbridge }) => {
  await page.goto(footbridge.url);
  await page.getByRole("button", { name: "Buy coins" }).click();
  await footbridge.expectLogin().approve({ account: "built-in" });
  await footbridge.expectPurchase("com.example.coins").approve();
  await expect(page.getByText("100 coins")).toBeVisible();
});
